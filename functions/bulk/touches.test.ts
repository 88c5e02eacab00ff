import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import type { Operation } from '../catalogue/batch-operation.ts';
import { touchesOf } from './touches.ts';

const services = { newId: randomUUID, clock: () => new Date() } as unknown as Services;
const touches = (operation: unknown) => touchesOf(services, operation as Operation);
const node = (body: object, ref?: string) => ({
  op: 'addNode',
  ref,
  body: { node_type: 'container', node_name: randomUUID(), address: 'a', custom_labels: {}, ...body },
});
const service = (body: object) => ({
  op: 'addService',
  body: { service_type: 'haproxy', service_name: randomUUID(), node_ids: [], custom_labels: {}, ...body },
});

function share(left: unknown, right: unknown): boolean {
  const [one, other] = [touches(left), touches(right)];
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
  ['a removal, and anything', { op: 'removeAgent', id: 'a', force: false }, node({})],
])('%s are not done at the same time', (_, left, right) => {
  expect(share(left, right)).toBe(true);
});

test.each<[string, unknown, unknown]>([
  ['two nodes at one address without a region', node({}), node({})],
  ['a node and a service of one name', node({ node_name: 'x' }), service({ service_name: 'x' })],
  ['changes of two objects', { op: 'changeNode', id: 'n', body: { az: 'b' } }, { op: 'changeNode', id: 'm', body: {} }],
])('%s may be', (_, left, right) => {
  expect(share(left, right)).toBe(false);
});
