import type { ListPage } from '../ui/use-pages.tsx';

/** Maximum number of further requests that fill a page, after a filter of the server left it short. */
const MAX_FILL_UPS = 4;

/** One page of a list. Further requests fill it if the filters of the server left it short. */
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
