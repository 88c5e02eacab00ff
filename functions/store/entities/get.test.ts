import { addAll, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { idOf } from './entity.ts';
import { findObjects, getObject, getVisibleObject, mustExist } from './get.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
const place = node();
const process = pmmAgent(place);
const target = service([place]);
const agent = exporter(process, [target]);
beforeAll(async () => {
  await addAll(table, place, process, target, agent);
});

const all = [place, process, target, agent];
const notFound = { kind: 'notFound', message: 'Node with ID "missing" not found.' };

test('an object is found by kind and id, without table attributes', async () => {
  for (const entity of all) {
    const { last_change, ...object } = (await getObject(table, entity.kind, idOf(entity))).object;
    expect([object, typeof last_change]).toEqual([entity.object, 'string']);
    await expect(mustExist(table, entity.kind, idOf(entity))).resolves.toBeUndefined();
  }
  await expect(getObject(table, 'node', 'missing')).rejects.toMatchObject(notFound);
  await expect(mustExist(table, 'node', 'missing')).rejects.toMatchObject(notFound);
  await expect(mustExist(table, 'agent', idOf(place))).rejects.toMatchObject({ kind: 'notFound' });
  await expect(mustExist(table, 'service', idOf(place))).rejects.toMatchObject({ kind: 'notFound' });
});

test('only objects inside the scope are visible', async () => {
  for (const entity of all) {
    await expect(getVisibleObject(table, entity.kind, idOf(entity), idOf(place))).resolves.toBeDefined();
    await expect(getVisibleObject(table, entity.kind, idOf(entity), undefined)).resolves.toBeDefined();
    await expect(getVisibleObject(table, entity.kind, idOf(entity), 'another')).rejects.toMatchObject({
      kind: 'permissionDenied',
    });
  }
});

test('many objects are found by kind and id, without missing ones', async () => {
  const wanted = [...all, node()].map((entity) => ({ kind: entity.kind, id: idOf(entity) }));
  const entity = await findObjects(table, [...wanted, { kind: 'service', id: idOf(place) }]);
  expect(entity.map((entity) => [entity.kind, idOf(entity)]).sort()).toEqual(
    all.map((entity) => [entity.kind, idOf(entity)]).sort(),
  );
  expect(await findObjects(table, [])).toEqual([]);
});
