import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import type { Operation } from '../catalogue/batch-operation.ts';
import { touchesIn } from './touches.ts';

const services = { newId: randomUUID, clock: () => new Date() } as unknown as Services;
type Touches = ReturnType<typeof touchesIn>[number];
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

function share(left: unknown, right: unknown): boolean {
  const [one, other] = touchesIn(services, [left, right] as Operation[]) as [Touches, Touches];
  if (one === 'everything' || other === 'everything') return true;
  return one.some((name) => other.includes(name));
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
  ['what a declaration may free and an add take', declared(node({})), node({ region: 'eu' })],
  ['what two declarations may give to each other', declared(node({})), declared(node({ container_id: 'c' }))],
  ['agents with one key', declared(agent()), agent()],
  ['a removal, and anything', { op: 'removeAgent', id: 'a', force: false }, node({})],
])('%s are not done at the same time', (_, left, right) => {
  expect(share(left, right)).toBe(true);
});

test.each<[string, unknown, unknown]>([
  ['two declared nodes', declared(node({})), declared(node({}))],
  ['two declared services', declared(service({})), declared(service({}))],
  ['a declared node and a changed service', declared(node({})), { op: 'changeService', id: 's', body: {} }],
  ['a declared service and a node in a region', declared(service({})), node({ region: 'eu' })],
  ['two nodes at one address without a region', node({}), node({})],
  ['a node and a service of one name', node({ node_name: 'x' }), service({ service_name: 'x' })],
  ['changes of two objects', { op: 'changeNode', id: 'n', body: { az: 'b' } }, { op: 'changeNode', id: 'm', body: {} }],
])('%s may be', (_, left, right) => {
  expect(share(left, right)).toBe(false);
});
