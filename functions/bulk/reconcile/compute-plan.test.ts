import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { addAll, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { keptRequest } from '../../domain/bulk/reconcile-request.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { idOf } from '../../store/entities/entity.ts';
import { checkNotEmpty, planned, refusalOf } from './compute-plan.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
const custom_labels = { team: 'a' };
const [kept, gone, outside] = [
  node({ node_name: 'kept', custom_labels }),
  node({ node_name: 'gone', custom_labels }),
  node({ node_name: 'outside', region: 'eu', address: 'h1' }),
];
const [process, elsewhere] = [pmmAgent(kept), pmmAgent(outside)];
const target = service([outside], { service_name: 'target' });
const agent = exporter(process, [target]);
beforeAll(async () => {
  await addAll(table, kept, gone, outside, process, elsewhere, target, agent);
});

const requestOf = (desired: object, max_removals_percent = 20) =>
  z.parse(keptRequest, { scope: { selector: 'team=a' }, desired, max_removals_percent });
const planOf = (desired: object) =>
  planned(
    { table, clock: () => testTime(), newId: randomUUID } as unknown as Dependencies,
    requestOf(desired),
    undefined,
  );

const keptBody = { node_type: 'generic', node_name: 'kept', address: '10.0.0.1', custom_labels };

test('a plan is computed from the present objects', async () => {
  const { groups, blocked, ...counts } = await planOf({
    nodes: [keptBody, { ...keptBody, node_name: 'new' }],
    services: [
      { service_type: 'mysql', service_name: 's', address: 'a', port: 1, node_names: ['outside'], custom_labels },
    ],
    agents: [
      { agent_type: 'pmm_agent', runs_on_node_name: 'kept' },
      { agent_type: 'mysqld_exporter', runs_on_node_name: 'kept', insights: { service_names: ['target'] } },
    ],
  });
  expect(blocked).toEqual([]);
  expect(counts).toEqual({ inScope: 4, unchanged: 2, removals: 1 });
  expect(
    groups.flat().map(({ action, kind, named }) => [action, kind, named.node_name ?? named.service_name ?? '']),
  ).toEqual([
    ['add', 'node', 'new'],
    ['add', 'service', 's'],
    ['change', 'agent', ''],
    ['remove', 'node', 'gone'],
  ]);
  expect(groups.flat().find(({ action }) => action === 'remove')?.id).toBe(idOf(gone));
});

test('the owner of a taken address is also looked up outside the scope', async () => {
  const { blocked } = await planOf({ nodes: [{ ...keptBody, node_name: 'new', region: 'eu', address: 'h1' }] });
  expect(blocked).toMatchObject([{ named: { node_name: 'new' }, blocked: expect.stringContaining('already exists') }]);
});

const counts = (removals: number, inScope: number) => ({ groups: [], blocked: [], unchanged: 0, removals, inScope });

test('an empty desired state is refused, unless the scope is empty', () => {
  const empty = requestOf({});
  expect(() => checkNotEmpty(empty, counts(1, 1))).toThrow('the scope contains 1 objects');
  expect(() => checkNotEmpty(empty, counts(0, 0))).not.toThrow();
  expect(() => checkNotEmpty(requestOf({ nodes: [keptBody] }), counts(1, 1))).not.toThrow();
});

test('removals may reach exactly the allowed share', () => {
  const request = requestOf({ nodes: [keptBody] }, 20);
  expect(refusalOf(request, counts(2, 10))).toBeUndefined();
  expect(refusalOf(request, counts(2, 7))).toBe(
    '2 of 7 objects in the scope (28.6 %) would be removed, but max_removals_percent allows 20 %. No changes were made.',
  );
  expect(refusalOf(requestOf({}, 0), counts(0, 0))).toBeUndefined();
  expect(refusalOf(requestOf({}, 0), counts(1, 1000))).toBeDefined();
  expect(refusalOf(requestOf({}, 100), counts(5, 5))).toBeUndefined();
});
