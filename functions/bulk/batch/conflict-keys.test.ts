import { randomUUID } from 'node:crypto';
import type { Dependencies } from '../../runtime/dependencies.ts';
import type { Operation } from '../../domain/bulk/batch-operation.ts';
import { containerClaim, nodeAddressClaim, nodeNameClaim } from '../../store/table/keys.ts';
import { conflictKeysIn, withClaims } from './conflict-keys.ts';
import { testTime } from '../../../tests/support/test-time.ts';

const dependencies = { newId: randomUUID, clock: () => testTime() } as unknown as Dependencies;
type ConflictKeys = ReturnType<typeof conflictKeysIn>[number];
const node = (body: object, ref?: string) => ({
  op: 'addNode',
  ref,
  body: { node_type: 'container', node_name: randomUUID(), address: 'a', custom_labels: {}, ...body },
});
const service = (body: object) => ({
  op: 'addService',
  body: { service_type: 'haproxy', service_name: randomUUID(), node_ids: [], custom_labels: {}, ...body },
});

const agent = () => ({
  op: 'addAgent',
  body: {
    agent_type: 'pmm_agent',
    runs_on_node_id: 'n',
    insights: { node_ids: [], service_ids: [] },
    disabled: false,
    custom_labels: {},
  },
});
const declared = ({ op, ...more }: { op: string }) => ({ op: op.replace('add', 'upsert'), ...more });

function share(left: unknown, right: unknown, holders: Record<string, string> = {}): boolean {
  const claimOwners = new Map(Object.entries(holders));
  const [leftKeys, other] = conflictKeysIn(withClaims(dependencies, [left, right] as Operation[]), claimOwners) as [
    ConflictKeys,
    ConflictKeys,
  ];
  if (leftKeys === 'everything' || other === 'everything') return true;
  return leftKeys.some((name) => other.includes(name));
}

test.each<[string, unknown, unknown]>([
  ['two nodes of one name', node({ node_name: 'x' }), node({ node_name: 'x' })],
  ['two nodes at one address of a region', node({ region: 'eu' }), node({ region: 'eu' })],
  ['two nodes of one container', node({ container_id: 'c' }), node({ container_id: 'c' })],
  ['two services of one name', service({ service_name: 'x' }), service({ service_name: 'x' })],
  ['two services on one node', service({ node_ids: ['n'] }), service({ node_ids: ['n'] })],
  ['a node and what refers to it', node({}, 'n'), service({ node_ids: ['$n'] })],
  ['two changes of one object', { op: 'changeService', id: 's', body: {} }, { op: 'changeService', id: 's', body: {} }],
  ['an address that moves, and any add', { op: 'changeNode', id: 'n', body: { address: 'b' } }, node({})],
  ['two declarations of one node', declared(node({ node_name: 'x' })), declared(node({ node_name: 'x' }))],
  ['an add and a declaration of one service', service({ service_name: 'x' }), declared(service({ service_name: 'x' }))],
  ['a declaration and what refers to it', declared(node({}, 'n')), service({ node_ids: ['$n'] })],
  [
    'a declaration and a change, which may be of one object',
    { op: 'changeNode', id: 'n', body: {} },
    declared(node({})),
  ],
  ['agents with one key', declared(agent()), agent()],
  ['a removal, and anything', { op: 'removeAgent', id: 'a', force: false }, node({})],
])('%s do not run at the same time', (_, left, right) => {
  expect(share(left, right)).toBe(true);
});

test.each<[string, unknown, unknown]>([
  ['two declared nodes', declared(node({})), declared(node({}))],
  ['two declared nodes in a region', declared(node({ region: 'eu' })), declared(node({ region: 'us' }))],
  ['two declared services', declared(service({})), declared(service({}))],
  ['a declared node and a changed service', declared(node({})), { op: 'changeService', id: 's', body: {} }],
  ['a declared service and a node in a region', declared(service({})), node({ region: 'eu' })],
  ['two nodes at one address without a region', node({}), node({})],
  ['a node and a service of one name', node({ node_name: 'x' }), service({ service_name: 'x' })],
  ['changes of two objects', { op: 'changeNode', id: 'n', body: { az: 'b' } }, { op: 'changeNode', id: 'm', body: {} }],
])('%s may run at the same time', (_, left, right) => {
  expect(share(left, right)).toBe(false);
});

const named = (name: string, body: object) => node({ node_name: name, ...body });
const xHas = (place: string) => ({ [nodeNameClaim('x').pk]: 'id-of-x', [place]: 'id-of-x' });

test.each<[string, unknown, unknown, Record<string, string>]>([
  ['an address', declared(named('x', {})), node({ region: 'eu' }), xHas(nodeAddressClaim('eu', 'a').pk)],
  ['a container id', declared(named('x', {})), declared(node({ container_id: 'c' })), xHas(containerClaim('c').pk)],
])(
  'a declaration that may release %s, and an operation that takes it, do not run at the same time',
  (_, left, right, holders) => {
    expect(share(left, right, holders)).toBe(true);
    expect(share(right, left, holders)).toBe(true);
    const elsewhere = Object.fromEntries(Object.entries(holders).map(([claim, id]) => [claim, `${id} ${claim}`]));
    expect(share(left, right, elsewhere)).toBe(false);
  },
);

test('an add that takes nothing from another node does not wait for declarations and changes', () => {
  const operations = [declared(node({})), { op: 'changeNode', id: 'n', body: {} }, node({}), service({})];
  const keys = conflictKeysIn(withClaims(dependencies, operations as Operation[]), new Map());
  expect(keys.map((conflictKeys) => conflictKeys.includes('any node'))).toEqual([true, true, false, false]);
});

test('a later operation may take a name that a change gives and a declaration frees', () => {
  const moved = { op: 'changeNode', id: 'id-of-x', body: { region: 'eu' } };
  const operations = [moved, declared(named('x', {})), node({ region: 'eu' })];
  const [, second, third] = conflictKeysIn(withClaims(dependencies, operations as Operation[]), new Map()) as [
    ConflictKeys,
    ConflictKeys,
    ConflictKeys,
  ];
  expect((second as string[]).some((name) => third.includes(name))).toBe(true);
});

test('a later operation may take a name that a node takes and frees within one batch', () => {
  const operations = [named('x', { region: 'eu' }), declared(named('x', {})), node({ region: 'eu' })];
  const [, second, third] = conflictKeysIn(withClaims(dependencies, operations as Operation[]), new Map()) as [
    ConflictKeys,
    ConflictKeys,
    ConflictKeys,
  ];
  for (const keys of [second, third]) expect(keys).toContain(nodeAddressClaim('eu', 'a').pk);
});
