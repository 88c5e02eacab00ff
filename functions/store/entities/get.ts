import type { Table } from '../../../shared/db/table.ts';
import { dependentsKey, objectKey, type ObjectKind } from '../table/keys.ts';
import { type ItemReader, readFrom, readInParts, readItem } from '../table/read.ts';
import { type Scope, type Visible, visible } from './key-scope.ts';
import { type EntityOf, idOf, entityIn, isOfKind, notFound, storedOf, type Entity } from './entity.ts';

/** The object with this id. One read. @throws ApiError `notFound`. */
export async function readObject<Kind extends ObjectKind>(
  read: ItemReader,
  kind: Kind,
  id: string,
): Promise<EntityOf<Kind>> {
  const item = await read(objectKey(kind, id));
  if (item === undefined) throw notFound(kind, id);
  return storedOf(kind, item);
}

/** The object with this id. One strongly consistent read. @throws ApiError `notFound`. */
export function getObject<Kind extends ObjectKind>(table: Table, kind: Kind, id: string): Promise<EntityOf<Kind>> {
  return readObject(readFrom(table), kind, id);
}

/**
 * The object with this id, for a caller that may be confined to a scope. One strongly consistent read.
 *
 * @throws ApiError `notFound`, `permissionDenied`.
 */
export async function getVisibleObject<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  id: string,
  scope: Scope,
): Promise<Visible<EntityOf<Kind>>> {
  return visible(scope, await getObject(table, kind, id));
}

/** Checks that the object exists. One strongly consistent read. @throws ApiError `notFound`. */
export async function mustExist(table: Table, kind: ObjectKind, id: string): Promise<void> {
  // Every node and service has a dependents counter, which is smaller than the object. Of agents only a pmm_agent has
  // one.
  const key = kind === 'agent' ? objectKey(kind, id) : dependentsKey(kind, id);
  if ((await readItem(table, key)) === undefined) throw notFound(kind, id);
}

interface ObjectRequest {
  kind: ObjectKind;
  id: string;
}

/**
 * The objects with these ids, some at a time in the order of their ids; missing ones are left out. Batch reads, strongly consistent
 * by default.
 */
export async function* objectsInParts(
  table: Table,
  wanted: readonly ObjectRequest[],
  isConsistent = true,
): AsyncGenerator<Entity[]> {
  const kinds = new Map(wanted.map(({ kind, id }) => [objectKey(kind, id).pk, kind]));
  const keys = wanted.map(({ kind, id }) => objectKey(kind, id));
  for await (const items of readInParts(table, keys, isConsistent))
    yield items.flatMap((item) => {
      const kind = kinds.get(String(item['pk']));
      return kind === undefined ? [] : [entityIn(kind, item)];
    });
}

/** The objects with these ids, as `objectsInParts`. */
export async function findObjects(
  table: Table,
  wanted: readonly ObjectRequest[],
  isConsistent = true,
  take: (entity: Entity) => Entity = (entity) => entity,
): Promise<Entity[]> {
  const objects: Entity[] = [];
  for await (const part of objectsInParts(table, wanted, isConsistent)) objects.push(...part.map(take));
  return objects;
}

/** The objects of a kind with these ids, by id; missing ones are left out. As `findObjects`. */
export async function objectsById<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  ids: Iterable<string>,
  isConsistent = true,
): Promise<Map<string, EntityOf<Kind>>> {
  const entities = await findObjects(
    table,
    Array.from(new Set(ids), (id) => ({ kind, id })),
    isConsistent,
  );
  return new Map(entities.flatMap((entity) => (isOfKind(entity, kind) ? [[idOf(entity), entity] as const] : [])));
}
