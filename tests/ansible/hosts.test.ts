/** The inventory plugin of the Ansible collection with a large fleet: number of requests, groups, cache. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toEntity } from '../../functions/store/entities/entity.ts';
import { type FaultyServer, startFaultyServer } from '../clients/faulty-server.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { newNode, putNodes, putObjectsAlone } from '../support/stored-objects.ts';
import { type Ansible, installCollection } from './ansible.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

const HOSTS = 10_000;
const REQUESTS = 10;

/** The first hosts have a service, and can be selected by name. */
const WITH_SERVICE = 250;

let ansible: Ansible;
let inventory: Inventory;
let server: FaultyServer;

beforeAll(async () => {
  ansible = await installCollection(await newDataDir());
  inventory = await startInventory({ clock: timeOfDay });
  server = await startFaultyServer(inventory);
  const nodes = Array.from({ length: HOSTS }, (_, index) => ({
    ...newNode(index),
    node_name: `host-${index}`,
    region: 'eu',
    custom_labels: { team: '{{ 1 + 1 }}' },
  }));
  await putNodes(inventory.table, nodes.slice(0, WITH_SERVICE));
  const others = nodes.slice(WITH_SERVICE).map((node) => toEntity('node', node));
  // A list of all nodes reads the nodes alone.
  await putObjectsAlone(inventory.table, others);
  const operations = nodes.slice(0, WITH_SERVICE).map(({ node_id, node_name }, index) => ({
    op: 'addService',
    body: { service_type: 'haproxy', service_name: node_name, node_ids: [node_id], cluster: `c${index % 3}` },
  }));
  const { status, text } = await inventory.request('POST', '/v1/batch', { body: { operations } });
  if (status !== 200) throw new Error(text);
});
afterAll(async () => {
  await server.stop();
  await inventory.stop();
  await removeDataDir(ansible.folder);
});

const fileOf = (lines: string) =>
  ansible.fileOf(`plugin: monitoring_inventory.inventory.nodes\n${lines}`, 'monitoring_inventory.yml');

/** Runs ansible-inventory. Its requests are counted under the name. @throws Error with its output if it fails. */
async function run(name: string, file: string, ...args: string[]): Promise<any> {
  const environment = { INVENTORY_URL: `${server.base}/${name}`, INVENTORY_KEY: inventory.keys.Viewer };
  const { stdout, stderr, code } = await ansible.runWith(environment, 'ansible-inventory', '-i', file, ...args);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test('10,000 hosts are read in 10 list requests, and grouped', async () => {
  const all = await run('all', await fileOf('group_by: [region, custom_labels]\n'), '--list');
  expect(server.requests.get('all')).toBe(REQUESTS);
  expect(new Set(all['region_eu'].hosts).size).toBe(HOSTS);
  expect(Object.keys(all._meta.hostvars)).toHaveLength(HOSTS);
  expect(all._meta.hostvars['host-7']).toHaveProperty('ansible_host');
});

test('the server filters hosts, with one list of nodes and one of services, which are cached', async () => {
  const cache = join(ansible.folder, 'cache');
  await mkdir(cache);
  const file = await fileOf(
    `selector: node_name in (host-1,host-2,host-3,host-200)\nfilters: { region: eu }\n` +
      `cache: true\ncache_plugin: jsonfile\ncache_connection: ${cache}\n`,
  );
  const some = await run('some', file, '--list');
  expect(some['cluster_c1'].hosts).toEqual(['host-1']);
  expect(Object.keys(some._meta.hostvars)).toHaveLength(4);
  expect(server.requests.get('some')).toBe(2);
  expect((await run('some', file, '--host', 'host-2')).custom_labels).toEqual({ team: '{{ 1 + 1 }}' });
  expect(server.requests.get('some')).toBe(2);
});
