import { commandCall } from '../../../../../tests/support/command-call.ts';
import { readInventory } from './inventory.ts';
import { defaultsOf, type ObjectTable, readObjects } from './object-rows.ts';
import { stepsOf } from './steps.ts';

const common = { revision: 3, created_at: '2026-01-02', custom_labels: {} };
const nodes = [
  { ...common, node_id: 'n1', node_type: 'generic', node_name: 'db-1', address: '127.0.0.1', region: 'eu' },
  { ...common, node_id: 'n2', node_type: 'generic', node_name: 'db-2', address: 'b', custom_labels: { env: 'prod' } },
];
const agent = (id: string, created_at: string) => ({
  ...{ ...common, agent_id: id, agent_type: 'pmm_agent', runs_on_node_id: 'n2', created_at, disabled: false },
  insights: { node_ids: [], service_ids: [] },
});

const readDefaults = (text: string, ...defaults: string[]) => readObjects(text, 'hosts.csv', defaultsOf(defaults));

/** The changes by tables, on a server with these nodes and two agents with one key on the first. */
async function steps(...texts: (string | ObjectTable)[]) {
  const agents = [agent('newer', '2026-01-03'), agent('older', '2026-01-01')];
  const call = commandCall({
    answer: ({ path }) =>
      path.startsWith('/v1/nodes') ? { nodes } : path.startsWith('/v1/agents') ? { agents } : { services: [] },
  });
  const inventory = await readInventory(await call.connect(), 'agents');
  return stepsOf(
    texts.map((text) => (typeof text === 'string' ? readDefaults(text) : text)),
    inventory,
  );
}

test('an existing object may keep a value that a new one may not have', async () => {
  const head = 'node_name,node_type,address,region';
  const [step] = await steps(`${head}\ndb-1,generic,127.0.0.1,us\n`);
  expect(step).toMatchObject({ old: { id: 'n1' }, change: { region: 'us' } });
  expect(Object.keys(step?.change ?? {})).toEqual(['region']);
  for (const row of ['db-3,generic,127.0.0.1,', 'db-2,generic,127.0.0.1,'])
    await expect(steps(`${head}\n${row}\n`)).rejects.toThrow('hosts.csv:2:3 address: ');
});

test('defaults apply to new objects, others keep their values', async () => {
  const texts = 'node_name,address,region\ndb-1,,\ndb-9,c,\n';
  const [changed, added] = await steps(readDefaults(texts, 'type=container', 'region=us'));
  expect(changed).toMatchObject({ old: { id: 'n1' }, change: {} });
  expect(added?.change).toEqual({ node_type: 'container', node_name: 'db-9', address: 'c', region: 'us' });
});

test('of several agents with one key, the oldest is changed', async () => {
  const [step] = await steps('agent_type,runs_on_node_name,disabled\npmm_agent,db-2,true\n');
  expect(step).toMatchObject({ old: { id: 'older' }, change: { disabled: true } });
});

test('objects follow those that they name, whatever the file order', async () => {
  const order = await steps(
    'agent_type,runs_on_node_name\nnode_exporter,db-9\npmm_agent,db-9\n',
    'service_name,service_type,node_names,address,port\ns,mysql,db-9,a,1\n',
    'node_name,node_type,address\ndb-9,generic,a\n',
  );
  expect(order.map(({ object }) => object['agent_type'] ?? object['service_name'] ?? object['node_name'])).toEqual([
    ...['db-9', 's', 'pmm_agent', 'node_exporter'],
  ]);
});

test('labels of a row are merged with those of the object', async () => {
  const [step] = await steps('node_name,label.team\ndb-2,dba\n');
  expect(step?.change).toEqual({ custom_labels: { env: 'prod', team: 'dba' } });
});

const nodeHead = 'node_name,node_type,address';

test.each([
  [`${nodeHead}\ndb-9,generic,a\ndb-9,generic,b\n`, /^hosts\.csv:3:2 node_type: The same object is in hosts\.csv:2/],
  [`${nodeHead}\ndb-2,container,b\n`, /:2:2 node_type: It is a generic, and a type cannot change: remove it first\.$/],
  ['service_name,service_type,node_names,address,port\ns,mysql,db-8,a,1\n', / node_names: There is no node db-8\.$/],
  ['agent_type,runs_on_node_name\nnode_exporter,db-1\n', / runs_on_node_name: No pmm_agent runs on db-1\.$/],
])('%j is refused at its place', async (text, message) => {
  await expect(steps(text)).rejects.toThrow(message);
});

test('an agent is imported below the process that its node has', async () => {
  const [step] = await steps('agent_type,runs_on_node_name\nnode_exporter,db-2\n');
  expect(step).toMatchObject({ old: undefined, change: { agent_type: 'node_exporter' } });
});
