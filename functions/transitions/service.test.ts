import * as z from 'zod/mini';
import { service } from '../../tests/support/store.ts';
import { serviceAddition, serviceChange } from '../domain/service/schema.ts';
import { changedService, declaredService, newService, serviceUpsertion } from './service.ts';

const now = new Date('2026-05-01T10:00:00Z');
const context = { newId: () => 'id', now };
const [n1, n2, n3] = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
];
const addition = (more: object = {}) =>
  z.parse(serviceAddition, { service_type: 'mysql', service_name: 's', address: 'a', port: 1, ...more });
const old = service([], { ...addition({ node_ids: [n1, n2], cluster: 'c' }), revision: 4 }).object;

test('a new service has an id, its defaults and revision 1', () => {
  expect(newService(context, addition())).toMatchObject({
    ...{
      service_id: 'id',
      service_name: 's',
      node_ids: [],
      custom_labels: {},
      revision: 1,
      created_at: now.toISOString(),
    },
  });
});

test('a change keeps the fields that it does not contain; the result must be a possible service', () => {
  const change = (more: object) => changedService(old, z.parse(serviceChange, more));
  expect(change({ port: 2 })).toEqual({ ...old, port: 2 });
  expect(change({ cluster: null })).not.toHaveProperty('cluster');
  expect(change({ node_ids: [n3] })).toMatchObject({ node_ids: [n3] });
  expect(() => change({ port: null, address: null })).toThrow(expect.objectContaining({ kind: 'invalidArgument' }));
});

test('reordered nodes are no change of a declared service', () => {
  const declared = (...node_ids: string[]) => declaredService(old, addition({ node_ids, cluster: 'c' }))['node_ids'];
  expect(declared(n2, n1)).toEqual([n1, n2]);
  expect(declared(n2, n3)).toEqual([n2, n3]);
  expect(declared(n2)).toEqual([n2]);
  expect(declared(n2, n1, n3)).toEqual([n2, n1, n3]);
});

test('a declaration replaces all fields except the identity and the record', () => {
  const { add, next } = serviceUpsertion(context, addition());
  expect(add()).toMatchObject({ service_id: 'id', revision: 1 });
  expect(next(old)).toMatchObject({ service_id: old.service_id, node_ids: [], revision: 4 });
  expect(next(old)).not.toHaveProperty('cluster');
});
