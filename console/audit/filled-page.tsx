import type { ListPage } from '../ui/use-pages.tsx';

/** Maximum number of further requests that fill a page. */
const MAX_FILL_UPS = 4;

/**
 * One page of rows of the audit. Further requests fill it if a filter of the server has left it short, or if its entries
 * are few rows.
 *
 * @param rowsOf the rows of the entries so far.
 */
export async function filledPage<T>(
  size: number,
  token: string | undefined,
  rowsOf: (objects: readonly T[]) => readonly unknown[],
  load: (isFirst: boolean, token: string | undefined) => Promise<ListPage<T>>,
): Promise<ListPage<T>> {
  let { objects, next } = await load(true, token);
  for (let more = 0; next !== undefined && more < MAX_FILL_UPS && rowsOf(objects).length < size; more += 1) {
    const page = await load(false, next);
    objects = [...objects, ...page.objects];
    next = page.next;
  }
  return { objects, next };
}
