import { commandCall, type SentRequest } from '../../../../../tests/support/command-call.ts';
import { importTables } from './import.ts';
import { parseTables } from './state.ts';

const ID = (last: string) => `00000000-0000-4000-8000-00000000000${last}`;
const present = { node_id: ID('1'), node_name: 'db-1', node_type: 'generic', address: 'a', region: 'eu', revision: 4 };

/** Imports these tables into an inventory with one node; each operation has the next of these results. */
async function importOf(texts: Record<string, string>, isDry = false, results: readonly object[] = []) {
  const rest = [...results];
  const call = commandCall({
    answer: ({ method, body }: SentRequest) =>
      method === 'GET'
        ? { nodes: [present], services: [], agents: [] }
        : { results: body.operations.map(() => rest.shift() ?? { status: 200, outcome: 'done' }) },
  });
  const tables = parseTables(
    Object.entries(texts).map(([path, text]) => ({ path, text })),
    [],
  );
  const report = await importTables(await call.connect(), tables, { isDry, signal: new AbortController().signal });
  const refused = report.refused.map(({ place, message }) => `${place}: ${message}`);
  const operations = call.sent.flatMap(({ method, body }) => (method === 'GET' ? [] : body.operations));
  const lists = call.sent.filter(({ method }) => method === 'GET').map(({ path }) => path.split('?')[0]);
  return { totals: report.totals, refused, operations, lists };
}

const nodes = 'node_name,node_type,address,region\ndb-1,generic,a,us\ndb-2,generic,b,\n';

test('a row of an existing object changes its revision, another one adds the object', async () => {
  expect(await importOf({ nodes })).toEqual({
    totals: { added: 1, changed: 1, unchanged: 0, refused: 0 },
    refused: [],
    operations: [
      { op: 'changeNode', id: ID('1'), if_match: 4, body: { region: 'us' } },
      { op: 'addNode', ref: 'row1', body: { node_name: 'db-2', node_type: 'generic', address: 'b' } },
    ],
    lists: ['/v1/nodes'],
  });
});

test('a row without a difference sends nothing', async () => {
  const { totals, operations } = await importOf({ nodes: 'node_name,region\ndb-1,eu\n' });
  expect([totals, operations]).toEqual([{ added: 0, changed: 0, unchanged: 1, refused: 0 }, []]);
});

test('a dry run sends nothing, and has the same totals', async () => {
  const { totals, operations } = await importOf({ nodes }, true);
  expect([totals, operations]).toEqual([{ added: 1, changed: 1, unchanged: 0, refused: 0 }, []]);
});

test('objects refer to other rows by label, and to existing objects by id', async () => {
  const { operations, lists } = await importOf({
    nodes: 'node_name,node_type,address\ndb-2,generic,b\n',
    services: 'service_name,service_type,node_names,address,port\norders,mysql,db-2,b,3306\npay,mysql,db-1,a,3306\n',
  });
  expect(lists).toEqual(['/v1/nodes', '/v1/services']);
  expect(operations.map(({ op, body }) => [op, body.node_ids])).toEqual([
    ['addNode', undefined],
    ['addService', ['$row0']],
    ['addService', [ID('1')]],
  ]);
});

test('an agent runs under the process of its node, which is added before it', async () => {
  const { operations, lists } = await importOf({
    services: 'service_name,service_type,node_names,address,port\npay,mysql,db-1,a,3306\n',
    agents: 'agent_type,runs_on_node_name,insights.service_names\npmm_agent,db-1,\nmysqld_exporter,db-1,pay\n',
  });
  expect(lists).toEqual(['/v1/nodes', '/v1/services', '/v1/agents']);
  const added = operations.map(({ op, ref, body }) => [op, ref, body]);
  expect(added).toEqual([
    ['addService', 'row0', expect.objectContaining({ service_name: 'pay', node_ids: [ID('1')] })],
    ['addAgent', 'row1', expect.objectContaining({ agent_type: 'pmm_agent', runs_on_node_id: ID('1') })],
    [
      ...['addAgent', 'row2'],
      {
        ...{ agent_type: 'mysqld_exporter', pmm_agent_id: '$row1' },
        insights: { node_ids: [], service_ids: ['$row0'] },
      },
    ],
  ]);
});

test("a refused row has the place and name of each invalid field, or the server's message", async () => {
  const details = [
    { field: 'operations.0.body.region', message: 'Wrong.' },
    { field: 'operations.0.body.az', message: 'Too long.' },
  ];
  const refusals = [
    [{ status: 300, error: { message: 'No.', details } }, 'nodes:2:4 node db-1: region: Wrong. az: Too long.'],
    [{ status: 404, error: { message: 'Absent.', details: [] } }, 'nodes:2:1 node db-1: Absent.'],
    [{ status: 409 }, 'nodes:2:1 node db-1: refused'],
  ] as const;
  for (const [result, line] of refusals) {
    const { totals, refused } = await importOf({ nodes }, false, [result, { status: 299 }]);
    expect([totals, refused]).toEqual([{ added: 1, changed: 0, unchanged: 0, refused: 1 }, [line]]);
  }
});

test('a refused row of an agent has its type, because an agent has no name', async () => {
  const agents = 'agent_type,runs_on_node_name\npmm_agent,db-1\n';
  const { refused } = await importOf({ agents }, false, [{ status: 409 }]);
  expect(refused).toEqual(['agents:2:1 agent pmm_agent: refused']);
});
