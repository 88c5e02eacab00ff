import { StaleRead } from '../../../shared/db/contention.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { type Entity, idOf, keyOf } from '../entities/entity.ts';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { cascadeOf } from './cascade.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const NOW = new Date('2036-01-01T00:00:00Z');

async function effectOf(target: Entity) {
  const { removed, changed } = await cascadeOf(table, target);
  return {
    removed: removed.map(idOf),
    changed: changed.map(({ old, next }) => next(old, NOW)).sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1)),
  };
}

/** Two nodes with a pmm_agent each, and a service on the first one. */
async function world() {
  const [place, other] = [node(), node()];
  const [process, otherProcess] = [pmmAgent(place), pmmAgent(other)];
  const target = service([place]);
  await addAll(table, place, other, process, otherProcess, target);
  return { place, other, process, otherProcess, target };
}

test('an object without dependants is removed alone', async () => {
  const { target } = await world();
  expect(await effectOf(target)).toEqual({ removed: [idOf(target)], changed: [] });
});

test('of a node: dependants come before the objects on which they depend', async () => {
  const { place, process, otherProcess, target } = await world();
  const [ownAgent, foreign] = [exporter(process, [target]), exporter(otherProcess, [target])];
  await addAll(table, ownAgent, foreign);
  const { removed, changed } = await effectOf(place);
  expect(removed.slice(2)).toEqual([process, target, place].map(idOf));
  // The foreign one has no other target left.
  expect(new Set(removed.slice(0, 2))).toEqual(new Set([ownAgent, foreign].map(idOf)));
  expect(changed).toEqual([]);
});

test('of a node: a service that also runs elsewhere stays without it, with its agents', async () => {
  const { place, other, otherProcess } = await world();
  const shared = service([place, other]);
  const watching = exporter(otherProcess, [shared]);
  await addAll(table, shared, watching);
  const { removed, changed } = await effectOf(place);
  expect([removed.includes(idOf(shared)), removed.includes(idOf(watching))]).toEqual([false, false]);
  expect(changed).toMatchObject([
    { kind: 'service', object: { node_ids: [idOf(other)], revision: 2, updated_at: NOW.toISOString() } },
  ]);
});

test('of a node: a remote agent loses it as a target, and stays even without targets', async () => {
  const { place, other } = await world();
  const [both, only] = [external({ nodes: [place, other] }), external({ nodes: [place] })];
  await addAll(table, both, only);
  const { removed, changed } = await effectOf(place);
  expect([removed.includes(idOf(both)), removed.includes(idOf(only))]).toEqual([false, false]);
  const left = Object.fromEntries(
    changed.flatMap((entity) => (entity.kind === 'agent' ? [[idOf(entity), entity.object.insights.node_ids]] : [])),
  );
  expect(left).toEqual({ [idOf(both)]: [idOf(other)], [idOf(only)]: [] });
});

test('of a service: agents without another target are removed, others lose it as a target', async () => {
  const { place, process, target } = await world();
  const more = service([place]);
  const [both, only] = [exporter(process, [target, more]), exporter(process, [target])];
  const mixed = external({ nodes: [place], services: [target] });
  await addAll(table, more, both, only, mixed);
  const { removed, changed } = await effectOf(target);
  expect(removed).toEqual([idOf(only), idOf(target)]);
  expect(new Set(changed.map(idOf))).toEqual(new Set([idOf(both), idOf(mixed)]));
  expect(changed.find((entity) => idOf(entity) === idOf(both))?.object).toMatchObject({
    insights: { node_ids: [], service_ids: [idOf(more)] },
    revision: 2,
  });
});

test('of a pmm_agent: its agents are removed, whatever they monitor', async () => {
  const { process, target } = await world();
  const [first, second] = [exporter(process, [target]), exporter(process, [target])];
  await addAll(table, first, second);
  const { removed, changed } = await effectOf(process);
  expect(removed.at(-1)).toBe(idOf(process));
  expect(new Set(removed)).toEqual(new Set([first, second, process].map(idOf)));
  expect(changed).toEqual([]);
});

test('an agent whose natural key changes is no longer registered', async () => {
  const { place, process, target } = await world();
  const more = service([place]);
  const both = exporter(process, [target, more], { registered: true });
  await addAll(table, more, both);
  const { changed } = await effectOf(target);
  expect(changed[0]?.object).not.toHaveProperty('registered');
});

test('an edge without its object is a stale read', async () => {
  const { place, target } = await world();
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: keyOf(target) }));
  await expect(cascadeOf(table, place)).rejects.toBeInstanceOf(StaleRead);
});
