import { inFull } from '../../../shared/testing/extent.ts';
import { addAgent, addNode, addService } from '../../../tests/support/add.ts';
import { service } from '../../../tests/support/store.ts';
import { itemsOfObject, putItems } from '../../../tests/support/stored-objects.ts';
import { labelIndexPartition } from '../table/keys.ts';
import { MAX_MEMBERS } from '../../domain/service/cluster.ts';
import { useInventory } from '../../../tests/support/fixtures.ts';

const inventory = useInventory();

/** More than the collections that a list reads for one value. */
const MANY = 52;

const names = new Map<string, string>();
const report = (processId: string, agents: readonly object[]) =>
  inventory.request('POST', `/v1/agents/${processId}/report`, { body: { agents } });

beforeAll(async () => {
  const host = async (name: string, more: object, cluster: string | undefined, version: string) => {
    const node = await addNode(inventory, { node_name: name, address: name, ...more });
    const process = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
    const service = await addService(inventory, {
      service_name: `${name}-db`,
      node_ids: [node.node_id],
      version: '8.4',
      ...(cluster === undefined ? {} : { cluster, environment: 'prod' }),
    });
    const under = { pmm_agent_id: process.agent_id };
    const insights = { service_ids: [service.service_id] };
    const exporter = await addAgent(inventory, { agent_type: 'mysqld_exporter', ...under, insights });
    const scraper = await addAgent(inventory, { agent_type: 'vm_agent', ...under });
    const reports = [
      { agent_id: exporter.agent_id, status: 'waiting', version },
      { agent_id: scraper.agent_id, status: 'running' },
    ];
    expect((await report(process.agent_id, reports)).status).toBe(200);
    names.set(process.agent_id, `${name} process`).set(exporter.agent_id, `${name} exporter`);
    names.set(scraper.agent_id, `${name} scraper`);
    return node;
  };
  await host('a1', { region: 'eu', az: 'eu-1' }, 'orders', '1.0');
  const shared = await host('a2', { region: 'eu', az: 'eu-2' }, 'orders', '1.1');
  await host('b1', { region: 'us', az: 'us-1' }, 'search', '1.1');
  await host('c1', {}, undefined, '1.1');
  await addService(inventory, { service_name: 'serverless' });
  const away = await addNode(inventory, { node_name: 'd1', address: 'd1', region: 'us' });
  await addService(inventory, { service_name: 'both', node_ids: [shared.node_id, away.node_id], cluster: 'search' });
  const exporter = { agent_type: 'external_exporter', insights: { node_ids: [away.node_id] }, listen_port: 9100 };
  names.set((await addAgent(inventory, exporter)).agent_id, 'd1 external');
});

async function listed(list: string, query: string, size = 1000): Promise<string[]> {
  const listedNames: string[] = [];
  for (let token = ''; ;) {
    const reply = await inventory.request('GET', `/v1/${list}?${query}&page_size=${size}${token}`, { as: 'Viewer' });
    expect([reply.status, query]).toEqual([200, query]);
    for (const object of reply.body[list])
      listedNames.push(object.node_name ?? object.service_name ?? names.get(object.agent_id) ?? object.agent_id);
    if (reply.body.next_page_token === undefined) return listedNames.sort();
    token = `&page_token=${reply.body.next_page_token}`;
  }
}

const rows: [list: string, query: string, expected: string[]][] = [
  ['services', 'region=eu', ['a1-db', 'a2-db', 'both']],
  ['services', 'region=us', ['b1-db', 'both']],
  ['services', 'region=', ['c1-db', 'serverless']],
  ['services', 'az=eu-2', ['a2-db', 'both']],
  ['services', 'region=us&az=eu-2', ['both']],
  ['services', 'region=nowhere', []],
  ['services', 'region=eu&state=live', ['a1-db', 'a2-db', 'both']],
  ['services', 'cluster=', ['c1-db', 'serverless']],
  ['services', 'version=8.4', ['a1-db', 'a2-db', 'b1-db', 'c1-db']],
  ['services', 'version=', ['both', 'serverless']],
  ['services', 'version=&region=us', ['both']],
  ['nodes', 'region=', ['c1']],
  ['nodes', 'az=', ['c1', 'd1']],
  ['nodes', 'cluster=orders', ['a1', 'a2']],
  ['nodes', 'cluster=search', ['a2', 'b1', 'd1']],
  ['nodes', 'cluster=search&region=us&state=never_seen', ['d1']],
  ['nodes', 'cluster=nowhere', []],
  ['agents', 'region=eu', ['a1 exporter', 'a1 process', 'a1 scraper', 'a2 exporter', 'a2 process', 'a2 scraper']],
  ['agents', 'region=us&agent_type=mysqld_exporter', ['b1 exporter']],
  ['agents', 'region=us&agent_type=external_exporter', ['d1 external']],
  ['agents', 'region=', ['c1 exporter', 'c1 process', 'c1 scraper']],
  ['agents', 'az=eu-2&status=waiting', ['a2 exporter']],
  ['agents', 'cluster=orders', ['a1 exporter', 'a2 exporter']],
  ['agents', 'cluster=orders&region=us', []],
  ['agents', 'environment=prod', ['a1 exporter', 'a2 exporter', 'b1 exporter']],
  ['agents', 'cluster=&region=eu', ['a1 process', 'a1 scraper', 'a2 process', 'a2 scraper']],
  ['agents', 'version=1.1', ['a2 exporter', 'b1 exporter', 'c1 exporter']],
  ['agents', 'version=&region=us', ['b1 process', 'b1 scraper', 'd1 external']],
  ['agents', 'version=1.1&region=eu&status=waiting', ['a2 exporter']],
];

const sizes = [1, 2, 1000];

test.each(rows.map((row, index) => [...row, inFull(sizes, [sizes[index % sizes.length]!])] as const))(
  'GET /v1/%s?%s lists the matching objects once, in pages of any size',
  async (list, query, expected, pageSizes) => {
    for (const size of pageSizes) expect(await listed(list, query, size)).toEqual(expected);
  },
);

test('an agent that is listed by its version shows this version', async () => {
  const { body } = await inventory.request('GET', '/v1/agents?version=1.0&fields=version,state');
  expect(body.agents).toEqual([{ agent_id: expect.any(String), version: '1.0', state: 'live' }]);
});

test('a cluster with more services than a list of its nodes reads is refused', async () => {
  const members = Array.from({ length: MAX_MEMBERS + 1 }, () => service([], { cluster: 'huge' }));
  const entries = labelIndexPartition('service', 'cluster', 'huge');
  await putItems(
    inventory.table,
    members.flatMap(itemsOfObject).filter(({ pk }) => pk === entries),
  );
  expect(await inventory.request('GET', '/v1/nodes?cluster=huge')).toMatchObject({
    status: 400,
    body: { status: 'FAILED_PRECONDITION', message: 'The cluster "huge" has more than 1000 services.' },
  });
});

test('a filter lists every match, whether few or many nodes have the value', async () => {
  const operations = Array.from({ length: MANY }, (_, index) => [
    {
      op: 'addNode',
      ref: `n${index}`,
      body: { node_type: 'generic', node_name: `m${index}`, address: `m${index}`, region: 'many' },
    },
    { op: 'addAgent', body: { agent_type: 'pmm_agent', runs_on_node_id: `$n${index}` } },
  ]).flat();
  expect((await inventory.request('POST', '/v1/batch', { body: { operations } })).status).toBe(200);
  expect(await listed('agents', 'region=many')).toHaveLength(MANY);
  expect(await listed('agents', 'region=many', 10)).toHaveLength(MANY);
  expect(await listed('agents', 'region=many&state=live')).toEqual([]);
  expect(await listed('agents', 'region=eu&agent_type=pmm_agent')).toEqual(['a1 process', 'a2 process']);
});
