import { commandCall, type SentRequest } from '../../../../tests/support/command-call.ts';
import { run } from './describe.ts';

const NODE = '00000000-0000-4000-8000-00000000000a';
const node = { node_id: NODE, node_name: 'db-1', region: 'eu' };
const service = { service_id: 's1', service_name: 'orders', service_type: 'mysql', node_ids: [NODE] };
const change = {
  ...{ change_id: 'c', time: 't', kind: 'node', id: NODE, action: 'changed', revision: 2, actor: { name: 'ann' } },
  ...{ before: { region: 'us' }, after: { region: 'eu' } },
};

async function describeNode(options: object = {}) {
  const call = commandCall({
    args: ['node', 'db-1'],
    options: { ...options },
    answer: ({ path }: SentRequest) => {
      if (path.includes('/history')) return { changes: [change], next_page_token: 'p' };
      if (path.startsWith('/v1/services')) return { services: [service] };
      return path.startsWith('/v1/agents') ? { agents: [] } : { nodes: [node] };
    },
  });
  await run(call);
  return { out: call.out(), paths: call.sent.map(({ path }) => path) };
}

test('people read the object, the objects that depend on it, and its last changes', async () => {
  const { out, paths } = await describeNode();
  expect(out.split('\n').map((line) => line.split(/ {3,}/))).toEqual([
    ['FIELD', 'VALUE'],
    ['node_id', NODE],
    ['node_name', 'db-1'],
    ['region', 'eu'],
    [''],
    ['services:'],
    ['SERVICE_NAME', 'SERVICE_TYPE', 'ADDRESS', 'PORT', 'ENVIRONMENT', 'CLUSTER', 'VERSION', 'STATE', 'GROUP'],
    ['orders', 'mysql', ...Array.from({ length: 7 }, () => '-')],
    [''],
    ['last changes:'],
    ['TIME', 'ACTION', 'OBJECT', 'REVISION', 'ACTOR', 'CHANGES'],
    ['t', 'changed', 'node/db-1', '2', 'ann', 'region: us -> eu'],
    [''],
  ]);
  expect(paths.filter((path) => path.includes('/history'))).toEqual([`/v1/nodes/${NODE}/history?page_size=5`]);
});

test('programs get one object with the lists', async () => {
  const { out } = await describeNode({ output: 'json' });
  expect(JSON.parse(out)).toEqual({ ...node, services: [service], agents: [], changes: [change] });
});

test('people read the title of an agent, and names beside the ids of other objects', async () => {
  const id = '00000000-0000-4000-8000-0000000000a1';
  const insights = { service_ids: [service.service_id], node_ids: [] };
  const agent = {
    agent_id: id,
    agent_type: 'mysqld_exporter',
    runs_on_node_id: NODE,
    node_ids: [NODE, 'gone'],
    insights,
  };
  const call = commandCall({
    args: ['agent', id],
    answer: ({ path }: SentRequest) => {
      if (path.includes('/history')) return { changes: [] };
      if (path.startsWith('/v1/services')) return { services: [service] };
      if (path.startsWith('/v1/nodes')) return { nodes: [node] };
      return path.startsWith(`/v1/agents/${id}`) ? agent : { agents: [] };
    },
  });
  await run(call);
  const rows = call
    .out()
    .split('\n')
    .map((line) => line.split(/ {3,}/));
  expect(rows).toContainEqual(['agent', 'mysqld_exporter of orders on db-1']);
  expect(rows).toContainEqual(['runs_on_node_id', `db-1 (${NODE})`]);
  expect(rows).toContainEqual(['node_ids', `db-1 (${NODE}),gone`]);
});
