import type { ListPage } from '../ui/use-pages.tsx';

/** A filter that thins out what the server reads may leave a page short: it is filled up with so many more at most. */
const MAX_FILL_UPS = 4;

/** One page of a list, filled up where the filters have left it short. */
export async function filledPage<T>(
  size: number,
  token: string | undefined,
  load: (size: number, token: string | undefined) => Promise<ListPage<T>>,
): Promise<ListPage<T>> {
  let objects: readonly T[] = [];
  let next = token;
  for (
    let round = 0;
    round === 0 || (next !== undefined && objects.length < size && round <= MAX_FILL_UPS);
    round += 1
  ) {
    const page = await load(size - objects.length, next);
    objects = [...objects, ...page.objects];
    next = page.next;
  }
  return { objects, next };
}
