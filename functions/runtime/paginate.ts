import { makePageToken, readPageToken } from '../../shared/db/page-token.ts';
import type { ListTotal, Page, PageOptions } from '../store/table/page.ts';
import { pageTokenSecret } from '../store/credentials/page-token-secret.ts';
import type { Dependencies } from './dependencies.ts';

interface PagedQuery {
  page_size: number;
  page_token?: string | undefined;
  fields?: string | undefined;
  include?: string | undefined;
  total?: boolean | undefined;
}

/**
 * One page of a list. A page token is valid for the same list (`endpointId`) with the same filters. The page size
 * and what is shown of each object may differ from page to page.
 */
export async function paged<T>(
  { table }: Dependencies,
  endpointId: string,
  { page_size: size, page_token: token, fields: _fields, include: _include, total: _total, ...filters }: PagedQuery,
  read: (page: PageOptions) => Promise<Page<T>>,
): Promise<{ objects: T[]; token: { next_page_token?: string } & Partial<ListTotal> }> {
  const binding = JSON.stringify([endpointId, Object.entries(filters).sort()]);
  const after = token === undefined ? undefined : readPageToken(token, binding, await pageTokenSecret(table));
  // In parallel, so that the first page of a process takes no longer than others.
  const [{ objects, next, total }, secret] = await Promise.all([read({ size, after }), pageTokenSecret(table)]);
  const following = next === undefined ? {} : { next_page_token: makePageToken(next, binding, secret) };
  return { objects, token: { ...following, ...total } };
}
