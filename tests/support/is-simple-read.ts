import { examples } from '../../functions/openapi/examples.ts';

/** Ids of objects that every test of calls adds. */
export type ObjectIds = Readonly<Record<'node_id' | 'service_id' | 'agent_id', string>>;

const PLACEHOLDER = /\{(\w+)\}/g;

/** The path with these ids. */
export function pathOf(path: string, ids: ObjectIds): string {
  const values = new Map<string, string>(Object.entries(ids));
  return path.replaceAll(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

const anyIds: ObjectIds = { node_id: '', service_id: '', agent_id: '' };

/**
 * Whether a GET calls the endpoint with no other parameters than the id of a node, a service or an agent. The tests of
 * faults, of costs, of permissions and of the examples call such an endpoint without an entry of its own.
 */
export function isSimpleRead({ method, path, id }: { method: string; path: string; id: string }): boolean {
  const ownExamples = Object.entries(examples).find(([name]) => name === id)?.[1] ?? {};
  return method === 'GET' && !pathOf(path, anyIds).includes('{') && Object.keys(ownExamples).length <= 1;
}
