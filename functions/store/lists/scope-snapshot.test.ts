import { MAX_IN_SCOPE } from '../../domain/bulk/reconcile-request.ts';
import type { Table } from '../../../shared/db/table.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, startTable } from '../../../tests/support/table.ts';
import { type Entity, idOf, itemOf, jsonOf } from '../entities/entity.ts';
import { nodeAddressClaim, nodeNameClaim, serviceNameClaim } from '../table/keys.ts';
import { readScopeSnapshot, type ScopeQuery } from './scope-snapshot.ts';

let table: Table;
let stop: () => Promise<void>;
const label = { custom_labels: { team: 'a' } };
const inside = node({ node_name: 'inside', region: 'eu', address: '1', ...label });
const outside = node({ node_name: 'outside', region: 'eu', address: '2' });
const third = node({ node_name: 'third' });
const [p1, p2] = [pmmAgent(inside), pmmAgent(outside)];
const s1 = service([inside, third], { service_name: 's1', ...label });
const s2 = service([outside], { service_name: 's2' });
/** Runs inside. */
const x1 = exporter(p1, [s2]);
/** Runs outside, and watches only what is inside. */
const x2 = exporter(p2, [s1]);
/** Watches both. */
const x3 = external({ services: [s1, s2] });
/** Has nothing to do with the scope. */
const x4 = exporter(p2, [s2]);
beforeAll(async () => {
  ({ table, stop } = await startTable());
  await addAll(table, inside, outside, third, p1, p2, s1, s2);
  await addAll(table, x1, x2, x3, x4);
});
afterAll(() => stop());

const read = (more: Partial<ScopeQuery> = {}) =>
  readScopeSnapshot(table, {
    scope: { selector: 'team=a' },
    limit: undefined,
    nodeNames: [],
    serviceNames: [],
    claims: [],
    ...more,
  });
const ids = (...entities: readonly Entity[]) => new Set(entities.map(idOf));

test('the scope contains its nodes, their services, and agents that run there or watch nothing else', async () => {
  const { within } = await read();
  expect(within).toEqual(ids(inside, s1, p1, x1, x2));
});

test('reads the dependants of the objects inside, and everything that they and the agents refer to', async () => {
  const snapshot = await read();
  expect(snapshot.dependants.get(idOf(inside))).toEqual({ services: [idOf(s1)], agents: [...ids(x1, p1)] });
  expect(new Set(snapshot.dependants.get(idOf(s1))?.agents)).toEqual(ids(x2, x3));
  expect(new Set(snapshot.agents.keys())).toEqual(ids(p1, x1, x2, x3));
  expect(new Set(snapshot.services.keys())).toEqual(ids(s1, s2));
  expect(new Set(snapshot.nodes.keys())).toEqual(ids(inside, outside, third));
});

test('reads named objects outside the scope, and of the agents of such a node only its pmm_agent', async () => {
  const { nodes, services, agents, within, dependants } = await read({
    scope: { selector: 'team=none' },
    nodeNames: ['outside', 'missing'],
    serviceNames: ['s2', 'missing'],
  });
  expect([new Set(nodes.keys()), new Set(services.keys())]).toEqual([ids(outside), ids(s2)]);
  expect(new Set(agents.keys())).toEqual(ids(p2));
  expect([within.size, dependants.size]).toEqual([0, 0]);
});

test('objects of other owners than those of the caller are outside the scope', async () => {
  const { within, dependants } = await read({
    scope: { name_prefix: '' },
    limit: { label: 'team', owners: ['a'] },
  });
  expect(within).toEqual(ids(inside, s1));
  expect(new Set(dependants.keys())).toEqual(ids(inside, s1));
});

test('reads the owners of names and of other claims', async () => {
  const taken = nodeAddressClaim('eu', '2');
  const claims = [taken, nodeAddressClaim('eu', 'free')];
  const { owners } = await read({ nodeNames: ['inside', 'missing'], serviceNames: ['s2'], claims });
  expect(owners).toEqual(
    new Map([
      [nodeNameClaim('inside').pk, idOf(inside)],
      [serviceNameClaim('s2').pk, idOf(s2)],
      [taken.pk, idOf(outside)],
    ]),
  );
});

test('a name prefix selects the scope', async () => {
  const { within } = await read({ scope: { name_prefix: 'out' } });
  expect(within).toEqual(ids(outside, p2, x2, x4));
});

test('reads a scope up to the maximum number of objects, and refuses one more', async () => {
  const listed = (nodes: number) =>
    fakeTable((command, { ExpressionAttributeValues: values, ExclusiveStartKey: start, Limit }) => {
      if (command !== 'QueryCommand' || values[':list_pk'] !== 'NODES') return { Items: [], Responses: {} };
      const from = start === undefined ? 0 : Number(start.pk.slice('NODE#'.length)) + 1;
      const size = Math.min(Limit, nodes - from);
      return { Items: Array.from({ length: size }, (_, index) => itemOf(node({ node_id: String(from + index) }))) };
    });
  const of = (nodes: number) =>
    readScopeSnapshot(listed(nodes), {
      scope: { name_prefix: 'x' },
      limit: undefined,
      nodeNames: [],
      serviceNames: [],
      claims: [],
    });
  const refused = { kind: 'failedPrecondition', message: expect.stringContaining(`more than ${MAX_IN_SCOPE}`) };
  await expect(of(MAX_IN_SCOPE)).resolves.toBeDefined();
  await expect(of(MAX_IN_SCOPE + 1)).rejects.toMatchObject(refused);
});

test('a scope whose objects exceed the memory is refused with the remedy', async () => {
  const all = [inside, outside, third, p1, p2, s1, s2, x1, x2, x3];
  const bytes = all.reduce((sum, entity) => sum + jsonOf(entity).length, 0);
  const of = (maxBytes: number) => read({ maxBytes, nodeNames: ['outside'], serviceNames: ['s2'] });
  const refused = { kind: 'failedPrecondition', message: expect.stringContaining('Use a smaller scope') };
  await expect(of(bytes)).resolves.toBeDefined();
  await expect(of(bytes - 1)).rejects.toMatchObject(refused);
});
