import type { PlainObject } from './indexed-object.ts';
import { ordered, sortKeyOf } from './order.ts';

const agents: PlainObject[] = [
  { agent_id: '1', runs_on_node_id: 'a', node_ids: ['b', 'a'], custom_labels: { rack: '10' } },
  { agent_id: '2', runs_on_node_id: 'b', node_ids: ['c'], custom_labels: { rack: '9' } },
  { agent_id: '3', runs_on_node_id: 'c', node_ids: [], custom_labels: {} },
  { agent_id: '4', custom_labels: {} },
];
const names = new Map([
  ['a', 'syd-10'],
  ['b', 'syd-9'],
]);

test.each([
  ['runs_on_node_id', false, '3214'],
  ['runs_on_node_id', true, '1234'],
  ['node_ids', false, '2134'],
  ['label.rack', false, '2134'],
])('references sort by names, and numbers by value: %j, descending %j', (field, descending, expected) => {
  const sorted = ordered(
    agents,
    (agent) => sortKeyOf({ kind: 'agent', object: agent }, field, (id) => names.get(id)),
    descending,
  );
  expect(sorted.map(({ agent_id: id }) => id).join('')).toBe(expected);
});

test('names sort as people read them', () => {
  expect(ordered(['ctr', 'a/b', 'X', 'x-10', 'x-9'], (name) => name, false)).toEqual([
    'a/b',
    'ctr',
    'X',
    'x-9',
    'x-10',
  ]);
});

test('an attribute sorts as a label, before a custom label of its name', () => {
  const node = (kind: 'node' | 'agent') => ({ kind, object: { node_model: 'm5', custom_labels: { node_model: 'x' } } });
  const nameOf = () => undefined;
  expect(sortKeyOf(node('node'), 'label.node_model', nameOf)).toBe('m5');
  expect(sortKeyOf(node('agent'), 'label.node_model', nameOf)).toBe('x');
});
