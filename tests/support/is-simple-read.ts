import { examples } from '../../functions/openapi/examples.ts';

/**
 * Whether a GET without parameters calls the endpoint. The tests of faults, of costs, of permissions and of the examples call such
 * an endpoint without an entry of its own.
 */
export function isSimpleRead({ method, path, id }: { method: string; path: string; id: string }): boolean {
  const own = Object.entries(examples).find(([name]) => name === id)?.[1] ?? {};
  return method === 'GET' && !path.includes('{') && Object.keys(own).length <= 1;
}
