import { ApiFailure } from '../api/client.tsx';
import { type InventoryObject, isObjectOf, type Kind } from './kinds.tsx';

/** So long a name is shown without asking for it again. */
const FRESH_MS = 60_000;

/** As many questions at a time, so that a page full of links leaves room for what the user does next. */
const MAX_AT_ONCE = 6;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

const cache = new Map<string, { at: number; object: Promise<InventoryObject> }>();

/** An object for its name and other small things that links show: asked for once, however many links there are. */
export async function cachedObject<T extends InventoryObject>(kind: Kind<T>, id: string): Promise<T> {
  const key = `${kind.folder}/${id}`;
  const known = cache.get(key);
  if (known !== undefined && known.at > Date.now() - FRESH_MS) {
    const object = await known.object;
    if (isObjectOf(kind, object)) return object;
  }
  const object = inTurn(() => kind.get(id));
  cache.set(key, { at: Date.now(), object });
  // The cache also knows which objects do not exist.
  object.catch((error: unknown) => {
    if (!(error instanceof ApiFailure && error.status === 404)) cache.delete(key);
  });
  return object;
}

/** Puts objects that a list has brought where links find them. */
export function remember<T extends InventoryObject>(kind: Kind<T>, objects: readonly T[]): void {
  for (const object of objects)
    cache.set(`${kind.folder}/${kind.idOf(object)}`, { at: Date.now(), object: Promise.resolve(object) });
}

/** After a change: nothing that was known need be true any more. */
export function forgetObjects(): void {
  cache.clear();
}
