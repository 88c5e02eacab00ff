import { commandCall } from '../../../../tests/support/command-call.ts';
import { desiredForm, pulledState } from './pulled-state.ts';

const names = new Map([
  ['n1', 'db-1'],
  ['n2', 'a-2'],
  ['s1', 'orders'],
]);

test.each([
  [
    'nodes',
    {
      node_id: 'n1',
      node_name: 'db-1',
      node_type: 'generic',
      address: 'a',
      custom_labels: { b: '1', a: '2' },
      revision: 3,
    },
    { node_name: 'db-1', node_type: 'generic', address: 'a', custom_labels: { a: '2', b: '1' } },
  ],
  [
    'nodes',
    { node_name: 'db-1', node_type: 'generic', custom_labels: {} },
    { node_name: 'db-1', node_type: 'generic' },
  ],
  ['nodes', { node_name: 'db-1', node_type: 'unknown' }, {}],
  [
    'services',
    { service_name: 'orders', service_type: 'mysql', node_ids: ['n1', 'n2', 'absent'], port: 0 },
    { service_name: 'orders', service_type: 'mysql', node_names: ['a-2', 'absent', 'db-1'], port: 0 },
  ],
  [
    'agents',
    {
      ...{ agent_type: 'mysqld_exporter', runs_on_node_id: 'n1', disabled: false },
      insights: { node_ids: [], service_ids: ['s1'] },
    },
    { agent_type: 'mysqld_exporter', runs_on_node_name: 'db-1', insights: { service_names: ['orders'] } },
  ],
  ['agents', { agent_type: 'pmm_agent', disabled: true }, { agent_type: 'pmm_agent', disabled: true }],
] as const)('%s: %j', (list, object, form) => {
  expect(JSON.parse(JSON.stringify(desiredForm(list, object, names)))).toEqual(form);
});

const agent = (id: string, more: object) => ({ agent_id: id, agent_type: 'external_exporter', ...more });

test('the state of a scope has its objects in a fixed order, with agents on its nodes or of its objects', async () => {
  const call = commandCall({
    answer: ({ path }) => ({
      nodes: [
        { node_id: 'n1', node_name: 'db-1', node_type: 'generic' },
        { node_id: 'n2', node_name: 'a-2', node_type: 'generic' },
      ],
      services: [{ service_id: 's1', service_name: 'orders', service_type: 'mysql', node_ids: ['n1'] }],
      agents: path.startsWith('/v1/agents')
        ? [
            agent('on', { runs_on_node_id: 'n2', custom_labels: { id: 'on' } }),
            agent('of', { runs_on_node_id: 'x', custom_labels: { id: 'of' }, insights: { service_ids: ['s1'] } }),
            agent('node', { runs_on_node_id: 'x', custom_labels: { id: 'node' }, insights: { node_ids: ['n1'] } }),
            agent('both', {
              runs_on_node_id: 'x',
              custom_labels: { id: 'both' },
              insights: { service_ids: ['s1', 'y'] },
            }),
            agent('nodes', {
              runs_on_node_id: 'x',
              custom_labels: { id: 'nodes' },
              insights: { node_ids: ['n1', 'y'] },
            }),
            agent('none', { runs_on_node_id: 'x', custom_labels: { id: 'none' } }),
          ]
        : [],
    }),
  });
  const scope = { selector: 'fleet=a' };
  const { nodes, services, agents, ...head } = await pulledState(await call.connect(), scope);
  const named = (list: unknown, name: string) => (list as Record<string, unknown>[]).map((object) => object[name]);
  expect([head, named(nodes, 'node_name'), named(services, 'node_names')]).toEqual([
    { scope },
    ['a-2', 'db-1'],
    [['db-1']],
  ]);
  expect(named(agents, 'custom_labels')).toEqual([{ id: 'on' }, { id: 'node' }, { id: 'of' }]);
  const queries = call.sent.map(({ path }) => path);
  expect(queries.slice(0, 2)).toEqual([
    ...['/v1/nodes?selector=fleet%3Da&page_size=1000', '/v1/services?selector=fleet%3Da&page_size=1000'],
  ]);
});

test('labels are in the order of their names', () => {
  const node = { node_type: 'generic', node_name: 'db-1', custom_labels: { b: '1', c: '2', a: '3' } };
  const { custom_labels: labels } = desiredForm('nodes', node, new Map());
  expect(JSON.stringify(labels)).toBe('{"a":"3","b":"1","c":"2"}');
});
