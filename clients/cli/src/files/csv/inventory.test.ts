import { commandCall } from '../../../../../tests/support/command-call.ts';
import { isUnderProcess, keyOf, kindIn, readInventory, targetNames } from './inventory.ts';

test('each list has its kind', () => {
  expect((['nodes', 'services', 'agents'] as const).map(kindIn)).toEqual(['node', 'service', 'agent']);
});

test('an exporter runs under the process of its node; the process and unknown types do not', () => {
  const types = ['mysqld_exporter', 'pmm_agent', 'external_exporter', 'unknown', undefined];
  expect(types.map((type) => isUnderProcess({ agent_type: type }))).toEqual([true, false, false, false, false]);
});

test('the targets of an agent are lists, also when it has none', () => {
  expect(targetNames({})).toEqual({ node_names: [], service_names: [] });
  expect(targetNames({ insights: { service_names: ['a'] } })).toEqual({ node_names: [], service_names: ['a'] });
});

test('the key of an agent is its type, place, targets and collector, and an unknown type has none', () => {
  const agent = { agent_type: 'external_exporter', insights: { service_names: ['a'] } };
  const keys = [
    ...[agent, { ...agent, runs_on_node_name: 'n' }, { ...agent, collector_name: 'c' }],
    ...[
      { ...agent, insights: {} },
      { ...agent, agent_type: 'node_exporter' },
    ],
  ].map((agent) => keyOf('agents', agent));
  expect(new Set(keys).size).toBe(5);
  expect(keyOf('agents', { agent_type: 'unknown' })).toBe('');
  expect([keyOf('nodes', { node_name: 'n' }), keyOf('services', { service_name: 's' })]).toEqual(['n', 's']);
});

test('reads lists with names instead of ids, and of agents with one key the oldest', async () => {
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: 'n1', revision: 2 };
  const call = commandCall({
    answer: () => ({
      nodes: [{ node_id: 'n1', node_name: 'db-1', node_type: 'generic' }],
      services: [{ service_id: 's1', service_name: 'orders', service_type: 'mysql', node_ids: ['n1'] }],
      agents: [
        { ...agent, agent_id: 'old', created_at: '2026-01-01' },
        { ...agent, agent_id: 'new', created_at: '2026-01-02' },
      ],
    }),
  });
  const { nodes, services, agents } = await readInventory(await call.connect(), 'agents');
  expect(nodes.get('db-1')).toMatchObject({ id: 'n1', form: { node_name: 'db-1', node_type: 'generic' } });
  expect(services.get('orders')?.form).toMatchObject({ node_names: ['db-1'] });
  const key = keyOf('agents', { agent_type: 'pmm_agent', runs_on_node_name: 'db-1' });
  expect([...agents].map(([name, { id, revision }]) => [name, id, revision])).toEqual([[key, 'old', 2]]);
  call.sent.length = 0;
  const small = await readInventory(await call.connect(), 'nodes');
  expect([small.services.size, call.sent.map(({ path }) => path.split('?')[0])]).toEqual([0, ['/v1/nodes']]);
});
