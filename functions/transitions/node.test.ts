import * as z from 'zod/mini';
import { node } from '../../tests/support/store.ts';
import { nodeAddition, nodeChange } from '../domain/node/schema.ts';
import { changedNode, declaredNode, newNode, nodeUpsertion } from './node.ts';

const now = new Date('2026-05-01T10:00:00Z');
const context = { newId: () => 'id', now };
const addition = (more: object = {}) =>
  z.parse(nodeAddition, { node_type: 'generic', node_name: 'n', address: 'a', ...more });
const old = node({ ...addition({ region: 'eu', custom_labels: { a: '1', b: '2' } }), revision: 4 }).object;
const change = (more: object) => changedNode(old, z.parse(nodeChange, more));

test('a new node has an id, its defaults and revision 1', () => {
  const time = now.toISOString();
  expect(newNode(context, addition())).toEqual({
    ...{ node_id: 'id', node_type: 'generic', node_name: 'n', address: 'a', custom_labels: {} },
    ...{ created_at: time, updated_at: time, revision: 1 },
  });
});

test('a change keeps the fields that it does not contain, removes null, and merges labels', () => {
  const { region: _, ...rest } = old;
  expect(change({ region: null, address: 'b' })).toEqual({ ...rest, address: 'b' });
  expect(change({ custom_labels: { a: null, c: '3' } })).toMatchObject({ custom_labels: { b: '2', c: '3' } });
  expect(change({})).toEqual(old);
});

test('the result of a change must be a possible node', () => {
  expect(() => change({ remove_after: '1d' })).toThrow(expect.objectContaining({ kind: 'invalidArgument' }));
});

test('a declaration replaces all fields except the identity and the record', () => {
  const { region: _, ...rest } = old;
  expect(declaredNode(old, addition({ address: 'b' }))).toEqual({ ...rest, address: 'b', custom_labels: {} });
  const { add, next } = nodeUpsertion(context, addition({ address: 'b' }));
  expect(add()).toMatchObject({ node_id: 'id', address: 'b', revision: 1 });
  expect(next(old)).toMatchObject({ node_id: old.node_id, address: 'b', revision: 4 });
});
