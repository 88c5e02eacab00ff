import { InventoryError } from '../error.ts';
import { exportInventory, listChanges } from '../generated/operations.ts';
import type { Change } from '../generated/types.ts';
import type { Client } from '../operation.ts';
import type { CallOptions } from '../options.ts';
import { followChanges } from './changes.ts';

/** An object of the inventory: `node`, its id, its fields. */
export interface MirroredObject {
  kind: string;
  id: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Where a mirror keeps its copy. Each call is one transaction: all of it is stored, or nothing. */
export interface MirrorStore {
  /** The cursor of the copy; undefined without a copy. */
  cursor: () => Promise<string | undefined>;
  get: (kind: string, id: string) => Promise<MirroredObject | undefined>;
  /** Replaces the copy as a whole. */
  replace: (objects: AsyncIterable<MirroredObject>, cursor: string) => Promise<void>;
  /** Stores objects, and removes those without `fields`. */
  apply: (changed: readonly (MirroredObject | Omit<MirroredObject, 'fields'>)[], cursor: string) => Promise<void>;
}

export interface MirrorOptions extends CallOptions {
  store: MirrorStore;
  /** End when the copy is up to date instead of following. */
  once?: boolean | undefined;
}

const GONE = 410;

const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The object after a change; null: removed. */
function after(before: MirroredObject | null | undefined, change: Change): MirroredObject | null | undefined {
  const { kind, id, action, revision, before: old = {}, after: fields = {} } = change;
  if (action === 'removed') return null;
  if (action === 'added') return { kind, id, fields };
  // A change from before the copy, or of an object that is removed later.
  if (before === null || before === undefined || numberOf(before.fields['revision']) >= revision) return before;
  const cleared = Object.keys(old).filter((name) => !Object.hasOwn(fields, name));
  const kept = Object.entries(before.fields).filter(([name]) => !cleared.includes(name));
  return { kind, id, fields: { ...Object.fromEntries(kept), ...fields, revision } };
}

async function* objects(client: Client, options: CallOptions): AsyncGenerator<MirroredObject> {
  for await (const { kind, object } of exportInventory(client, { page_size: 1000 }, options)) {
    const fields = { ...object };
    const id = new Map<string, unknown>(Object.entries(fields)).get(`${kind}_id`);
    yield { kind, id: String(id), fields };
  }
}

async function applyChanges(store: MirrorStore, changes: readonly Change[], cursor: string): Promise<void> {
  const present = new Map<string, MirroredObject | null | undefined>();
  const keyOf = ({ kind, id }: Change) => `${kind}/${id}`;
  for (const change of changes) {
    const key = keyOf(change);
    const before = present.has(key) ? present.get(key) : await store.get(change.kind, change.id);
    present.set(key, after(before, change));
  }
  const changed = [...present].flatMap(([key, object]) => {
    if (object === undefined) return [];
    const [kind = '', id = ''] = key.split('/');
    return [object ?? { kind, id }];
  });
  await store.apply(changed, cursor);
}

/**
 * Keeps a copy of all objects: reads them, follows the changes, and starts again if its cursor is too old. After a
 * restart it continues with the cursor of the store. Ends with the signal.
 */
export async function mirror(client: Client, { store, once, ...options }: MirrorOptions): Promise<void> {
  for (let since = await store.cursor(); ; since = undefined) {
    if (since === undefined) {
      // The cursor first: the changes during the export come after it.
      since = (await listChanges(client, { since: 'now' }, options)).next;
      await store.replace(objects(client, options), since);
    }
    try {
      for await (const { changes, cursor } of followChanges(client, { since, once, ...options }))
        await applyChanges(store, changes, cursor);
      return;
    } catch (error) {
      if (!(error instanceof InventoryError) || error.http !== GONE) throw error;
    }
  }
}
