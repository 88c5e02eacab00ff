import { addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

const list = async (query = '') => (await inventory.request('GET', `/v1/clusters${query}`, { as: 'Viewer' })).body;

test('counts the services of each cluster by type and state, and each of their nodes once', async () => {
  const { nodeId: live, pmmAgentId } = await addHost(inventory);
  const { node_id: silent } = await addNode(inventory, { region: 'eu' });
  const report = await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  expect(report.status).toBe(200);
  const shop = { cluster: 'shop', environment: 'prod' };
  await addService(inventory, { ...shop, node_ids: [live, silent] });
  await addService(inventory, { ...shop, node_ids: [silent], environment: 'dev' });
  await addService(inventory, { ...shop, service_type: 'proxysql', node_ids: [live] });
  await addService(inventory, { cluster: 'archive', service_type: 'mongodb' });
  await addService(inventory, { node_ids: [live], custom_labels: { cluster: 'a label' } });
  expect(await list()).toEqual({
    clusters: [
      {
        cluster: 'archive',
        services: 1,
        nodes: 0,
        services_by_type: { mongodb: 1 },
        services_by_state: { never_seen: 1 },
        environments: [],
        versions: [],
        owners: [],
      },
      {
        cluster: 'shop',
        services: 3,
        nodes: 2,
        services_by_type: { mysql: 2, proxysql: 1 },
        services_by_state: { live: 2, never_seen: 1 },
        environments: ['dev', 'prod'],
        versions: [],
        owners: [],
      },
    ],
  });
  expect((await list('?include=region')).clusters[1]).toMatchObject({ regions: ['eu'], azs: [] });
  expect((await list('?name_prefix=sh')).clusters).toMatchObject([{ cluster: 'shop' }]);
  expect(await list('?name_prefix=Sh')).toEqual({ clusters: [] });
});

test('pages of any size contain each cluster once, in byte order of the names', async () => {
  const names = ['Z', 'a', 'b', 'c', 'é', 'constructor', '__proto__'];
  for (const cluster of names) await addService(inventory, { cluster });
  const sorted = names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  for (const size of [1, 2, 7, 100]) {
    const listedNames: string[] = [];
    let token = '';
    do {
      const page = await list(`?page_size=${size}${token && `&page_token=${token}`}`);
      expect(page.clusters.length).toBeLessThanOrEqual(size);
      listedNames.push(...page.clusters.map(({ cluster }: { cluster: string }) => cluster));
      token = page.next_page_token ?? '';
    } while (token !== '');
    expect([size, listedNames]).toEqual([size, sorted]);
  }
});

test('a cluster ends with its last service', async () => {
  const { service_id: id } = await addService(inventory, { cluster: 'shop' });
  expect((await list()).clusters).toHaveLength(1);
  await inventory.request('DELETE', `/v1/services/${id}`);
  expect(await list()).toEqual({ clusters: [] });
});
