import { differencesOfItem, nameOfItem, type PlanItem } from './plan-item.ts';

const agent = { agent_type: 'mysqld_exporter', runs_on_node_name: 'db-1' } as const;
const insights = { node_names: [], service_names: ['orders', 'billing'] };

test('an agent is named by its type, place and targets', () => {
  expect(nameOfItem({ action: 'add', kind: 'agent', ...agent, insights })).toBe(
    'mysqld_exporter on db-1 for orders, billing',
  );
  expect(nameOfItem({ action: 'add', kind: 'agent', agent_type: 'rds_exporter' })).toBe('rds_exporter');
});

test('a change shows each field, an add its future fields from the desired state', () => {
  const change: PlanItem = {
    action: 'change',
    kind: 'service',
    service_name: 'orders',
    changes: [{ field: 'custom_labels.team', from: 'pay', to: 'shop' }],
  };
  expect(differencesOfItem(change, undefined)).toEqual([
    { path: 'custom_labels.team', label: 'Label team', target: undefined, before: 'pay', after: 'shop' },
  ]);
  const other = { ...agent, runs_on_node_name: 'db-2', disabled: false, custom_labels: {}, insights };
  const wanted = {
    ...agent,
    disabled: true,
    custom_labels: {},
    insights: { ...insights, service_names: ['billing', 'orders'] },
  };
  const add: PlanItem = { action: 'add', kind: 'agent', ...agent, insights };
  const desired = { nodes: [], services: [], agents: [other, wanted] };
  expect(differencesOfItem(add, desired).map(({ path, after }) => [path, after])).toEqual([
    ['runs_on_node_name', 'db-1'],
    ['disabled', true],
    ['insights.service_names', ['billing', 'orders']],
  ]);
});

test('a removal and an object without a desired state have no differences', () => {
  const desired = { nodes: [], services: [], agents: [] };
  expect(differencesOfItem({ action: 'remove', kind: 'node', node_name: 'db-1' }, desired)).toEqual([]);
  expect(differencesOfItem({ action: 'add', kind: 'node', node_name: 'db-1' }, desired)).toEqual([]);
});
