import type { Client } from '../../../typescript/src/operation.ts';
import { listOf, readList } from './objects.ts';
import { type Fields, isFields, isList } from '../core/values.ts';

/** Ids in a selector, at most: it has 2,000 characters. */
const IDS_PER_REQUEST = 40;

/** Selectors, at most. For more ids the whole list is read, 1,000 objects in a request. */
const MAX_REQUESTS = 10;

/** The objects with these ids, as far as they exist; for many ids, also other ones. */
export async function readByIds(
  client: Client,
  items: 'nodes' | 'services' | 'agents',
  ids: readonly string[],
  query: object = {},
): Promise<Fields[]> {
  const all = [...new Set(ids)];
  const count = Math.ceil(all.length / IDS_PER_REQUEST);
  if (count > MAX_REQUESTS) return readList(client, items, query);
  const objects: Fields[] = [];
  for (let start = 0; start < all.length; start += IDS_PER_REQUEST) {
    const selector = `${listOf(items).id} in (${all.slice(start, start + IDS_PER_REQUEST).join()})`;
    objects.push(...(await readList(client, items, { ...query, selector })));
  }
  return objects;
}

/** Adds the names of the objects of a kind that are not known yet. */
async function addNames(
  client: Client,
  kind: 'node' | 'service',
  ids: readonly string[],
  names: Map<string, string>,
): Promise<void> {
  const unknown = ids.filter((id) => !names.has(id));
  const nameField = `${kind}_name`;
  for (const object of await readByIds(client, `${kind}s`, unknown, { fields: nameField }))
    names.set(String(object[`${kind}_id`]), String(object[nameField]));
}

/** Ids of nodes and services. */
export interface Ids {
  nodes: readonly string[];
  services: readonly string[];
}

/**
 * Reads the names of nodes and services by their ids into the given ones. An object that was removed, or that the caller does not
 * see, has none.
 */
export async function readNames(client: Client, { nodes, services }: Ids, names = new Map<string, string>()) {
  await Promise.all([addNames(client, 'node', nodes, names), addNames(client, 'service', services, names)]);
  return names;
}

/** The fields of objects with ids of nodes and services. */
export const kindsByField: ReadonlyMap<string, 'node' | 'service'> = new Map([
  ['node_ids', 'node'],
  ['runs_on_node_id', 'node'],
  ['service_ids', 'service'],
]);

/** The ids in a list, or the only one. */
export const idsIn = (value: unknown): string[] =>
  isList(value) ? value.map(String) : typeof value === 'string' ? [value] : [];

/** The ids of the nodes and services that objects refer to. */
export function idsOf(objects: readonly Fields[]): Ids {
  const ids = { node: Array.of<string>(), service: Array.of<string>() };
  for (const object of objects)
    for (const [field, value] of Object.entries(object)) {
      const kind = kindsByField.get(field);
      if (kind !== undefined) ids[kind].push(...idsIn(value));
      else if (field === 'insights' && isFields(value)) {
        const { nodes, services } = idsOf([value]);
        ids.node.push(...nodes);
        ids.service.push(...services);
      }
    }
  return { nodes: ids.node, services: ids.service };
}

/** The object with a text in the place of each id of a node or service. */
export function withIdsAs(object: Fields, textOf: (id: string) => string): Fields {
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => {
      if (field === 'insights' && isFields(value)) return [field, withIdsAs(value, textOf)];
      if (!kindsByField.has(field)) return [field, value];
      return [
        field,
        isList(value) ? value.map((id) => textOf(String(id))) : typeof value === 'string' ? textOf(value) : value,
      ];
    }),
  );
}
