import { endpoints } from '../../functions/api/endpoints.ts';
import { examples } from '../../functions/openapi/examples.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';

/**
 * Endpoints that a GET without parameters calls. The tests of faults, of costs and of the examples call them without an entry of
 * their own.
 */
export const simpleReads: readonly Endpoint[] = endpoints.filter(
  ({ method, path, id }) =>
    method === 'GET' && !path.includes('{') && Object.keys(examples[id as keyof typeof examples]).length === 1,
);
