import { valueAt } from '../../shared/core/violations.ts';
import type { Endpoint } from './endpoint.ts';

/** A request with the default values of its fields. */
interface ValidRequest {
  query: unknown;
  body: unknown;
}

/** Whether a request only asks: a read, a plan, or a dry run. A lower role suffices for nothing that makes a change. */
export function changesNothing(
  { method, access, lowerRole }: Pick<Endpoint, 'method' | 'access' | 'lowerRole'>,
  { query, body }: ValidRequest,
): boolean {
  if (method === 'GET' || access !== 'write') return true;
  if (lowerRole !== undefined && valueAt(body, [lowerRole.field]) === lowerRole.value) return true;
  return [query, body].some((values) => valueAt(values, ['dry_run']) === true);
}
