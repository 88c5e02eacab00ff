import type { Table } from '../../../shared/db/table.ts';
import { addAll, contextOf, node, service } from '../../../tests/support/store.ts';
import { disturbedBefore, withSend } from '../../../tests/support/table.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { findObjects, getObject } from '../entities/get.ts';
import { findForcedRemoval } from '../jobs/forced-removals.ts';
import { abandonRemoval } from './abandon-removal.ts';
import { changeObject } from './entities.ts';
import { removeObject } from './remove.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

const { table } = useCheckedTable();

/** Three services with these labels are more than one transaction. */
const custom_labels = {
  ...Object.fromEntries(Array.from({ length: 29 }, (_, index) => [`k${index}`, 'v'])),
  team: 'a',
};
const limit = { label: 'team', owners: ['a'] };

/** A node with services of team a. */
async function host() {
  const place = node({ custom_labels: { team: 'a' } });
  const services = [1, 2, 3, 4].map(() => service([place], { custom_labels }));
  await addAll(table, place);
  for (const entity of services) await addAll(table, entity);
  return { place, services };
}

const giveTo = (entity: Entity, team: string) =>
  changeObject(
    table,
    { kind: entity.kind, id: idOf(entity), ifMatch: undefined, writeContext: contextOf() },
    (old) => ({
      ...old,
      custom_labels: { ...old.custom_labels, team },
    }),
  );

const remove = (place: Entity, at: Table, ofTeam = true) =>
  removeObject(at, 'node', idOf(place), {
    force: true,
    ifMatch: undefined,
    writeContext: contextOf(ofTeam ? { limit } : {}),
  });

test("a team's removal ends when an Admin gives a service to another team, and the rest stays and accepts dependants", async () => {
  const { place, services } = await host();
  const foreign = services[3]!;
  const at = disturbedBefore(table, 2, () => giveTo(foreign, 'b'));
  await expect(remove(place, at)).rejects.toMatchObject({ kind: 'permissionDenied' });
  expect(await findForcedRemoval(table, 'node', idOf(place))).toBeUndefined();
  const left = await getObject(table, 'service', idOf(foreign));
  expect([left.object.removing, left.object.custom_labels['team']]).toEqual([undefined, 'b']);
  expect((await getObject(table, 'node', idOf(place))).object.removing).toBeUndefined();
  await expect(addAll(table, service([place]))).resolves.toBeUndefined();
  await remove(place, table, false);
  expect(await findObjects(table, [{ kind: 'node', id: idOf(place) }])).toEqual([]);
});

test('a removal without owners, and an object without a removal, are not abandoned', async () => {
  const { place } = await host();
  let count = 0;
  const send = (command: any) => {
    if (command.constructor.name === 'TransactWriteCommand') count += 1;
    if (count > 1) throw new Error('interrupted');
    return table.client.send(command);
  };
  await expect(remove(place, withSend(table, send), false)).rejects.toThrow('interrupted');
  await abandonRemoval(table, 'node', idOf(place));
  expect(await findForcedRemoval(table, 'node', idOf(place))).toBeDefined();
  await expect(addAll(table, service([place]))).rejects.toThrow('is being removed');
  await remove(place, table, false);
  const other = node();
  await addAll(table, other);
  await abandonRemoval(table, 'node', idOf(other));
  expect((await getObject(table, 'node', idOf(other))).object.revision).toBe(1);
});

test('an abandoned removal can be repeated after the object returned to the team', async () => {
  const { place, services } = await host();
  const at = disturbedBefore(table, 2, () => giveTo(services[3]!, 'b'));
  await expect(remove(place, at)).rejects.toMatchObject({ kind: 'permissionDenied' });
  await giveTo(services[3]!, 'a');
  await remove(place, table);
  expect(await findObjects(table, [{ kind: 'service', id: idOf(services[3]!) }])).toEqual([]);
});
