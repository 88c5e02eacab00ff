/** The requests of the Ansible collection: each field, repetitions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { currentDocument } from '../../tools/generate.ts';
import { ansiblePrograms } from '../../tools/package-ansible.ts';
import { connectionCases, saidIn } from '../clients/connection-cases.ts';
import { startPrivateServer } from '../clients/private-server.ts';
import { startProxy } from '../support/proxy.ts';
import { startWrongServer } from '../clients/wrong-server.ts';
import { type FaultyServer, startFaultyServer } from '../clients/faulty-server.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type Ansible, changedIn, installCollection } from './ansible.ts';
import { everyField } from './every-field.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

const fields = fileURLToPath(new URL('every_field.py', import.meta.url));
const cases = fileURLToPath(new URL('connection_cases.py', import.meta.url));

let ansible: Ansible;
let inventory: Inventory;
let faulty: FaultyServer;

beforeAll(async () => {
  ansible = await installCollection(await newDataDir());
  inventory = await startInventory({ clock: timeOfDay });
  faulty = await startFaultyServer(inventory);
});
afterAll(async () => {
  await faulty.stop();
  await inventory.stop();
  await removeDataDir(ansible.folder);
});

/** What a script prints as JSON, with the collection on its path. */
async function printedBy(path: string, input: unknown): Promise<string> {
  const python = spawn(join(ansiblePrograms, 'python'), [path], {
    env: { ...ansible.environment, PYTHONPATH: ansible.environment['ANSIBLE_COLLECTIONS_PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  python.stdin.end(JSON.stringify(input));
  const [output, [code]] = await Promise.all([text(python.stdout), once(python, 'close')]);
  expect(code).toBe(0);
  return output.trim();
}

const caseOf = (name: string) => ({ INVENTORY_URL: `${faulty.base}/${name}`, INVENTORY_KEY: inventory.keys.Admin });

test('every field of every type: check mode reports the run, and a second run changes nothing', async () => {
  const declared = everyField(await currentDocument());
  const output = await printedBy(fields, { url: `${faulty.base}/fields`, key: inventory.keys.Admin, cases: declared });
  const results = output.split('\n').map((line) => JSON.parse(line));
  const runs = [true, false, true, false].map((changed) => ({ same: true, changed }));
  expect(results).toEqual(declared.map(({ kind, type }) => ({ kind, type, runs })));
});

test('every case of wrong settings and failing servers passes', async () => {
  const servers = await Promise.all(connectionCases.map((connectionCase) => startWrongServer(connectionCase)));
  try {
    const given = servers.map(({ url, key }) => ({ url, key }));
    const results: (string | null)[] = JSON.parse(await printedBy(cases, given));
    for (const [index, connectionCase] of connectionCases.entries()) {
      const [message, attempts] = [results[index] ?? '', servers[index]!.attempts()];
      expect([connectionCase.name, attempts, message === '']).toEqual([
        connectionCase.name,
        connectionCase.attempts,
        connectionCase.is !== 'permanent',
      ]);
      for (const part of message === '' ? [] : saidIn(connectionCase, 'ansible')) expect(message).toContain(part);
      if (connectionCase.hides !== undefined) expect(message).not.toContain(connectionCase.hides);
    }
  } finally {
    for (const server of servers) await server.stop();
  }
});

test("a private certificate, a proxy, and a key with a final line break work with the page's variables", async () => {
  const { server, variables, tunnels, stop } = await startPrivateServer();
  try {
    const environment = { ...variables, NO_PROXY: '' };
    const file = await ansible.playbookOf(`node: { node_name: private, node_type: generic, address: a }`);
    const unnamed = { ...environment, INVENTORY_URL: `https://127.0.0.1:${server.port}`, HTTPS_PROXY: '' };
    const refused = await ansible.runWith(unnamed, 'ansible-playbook', file);
    expect([refused.code, refused.stdout]).toEqual([
      2,
      expect.stringContaining('has a certificate with other names: '),
    ]);
    const played = await ansible.runWith(environment, 'ansible-playbook', file);
    expect([played.code, changedIn(played.stdout)]).toEqual([0, 1]);
    expect(tunnels()).toBeGreaterThan(0);
    const hosts = await ansible.fileOf('plugin: monitoring_inventory.inventory.nodes\n', 'monitoring_inventory.yml');
    const longer = { ...environment, INVENTORY_URL: `${variables.INVENTORY_URL}/v1/` };
    const listed = await ansible.runWith(longer, 'ansible-inventory', '-i', hosts, '--graph');
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('|--private')]);
    expect(tunnels()).toBeGreaterThan(0);
  } finally {
    await stop();
  }
});

test('a refusing proxy is asked once, and the setting is named', async () => {
  const proxy = await startProxy({}, '407 Proxy Authentication Required');
  const file = await ansible.playbookOf(`node: { node_name: never, node_type: generic, address: a }`);
  try {
    for (const url of ['https://inventory.internal', 'http://inventory.internal']) {
      const proxies = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: '' };
      const played = await ansible.runWith(
        { ...caseOf('wrong'), ...proxies, INVENTORY_URL: url },
        'ansible-playbook',
        file,
      );
      expect([played.code, played.stdout]).toEqual([
        2,
        expect.stringContaining(
          `${url} cannot be called: the proxy replied 407 Proxy Authentication Required. Correct HTTPS_PROXY or HTTP_PROXY`,
        ),
      ]);
      expect(proxy.seen.splice(0)).toHaveLength(1);
    }
  } finally {
    await proxy.stop();
  }
});

test('a wrong setting fails a task and an inventory at once by name', async () => {
  const file = await ansible.playbookOf(`node: { node_name: never, node_type: generic, address: a }`);
  const hosts = await ansible.fileOf('plugin: monitoring_inventory.inventory.nodes\n', 'monitoring_inventory.yml');
  const keys = await ansible.fileOf('minv_a\nminv_b\n', 'key');
  const settings: [Record<string, string>, string][] = [
    [{ INVENTORY_URL: 'inventory.example' }, 'url (INVENTORY_URL) must be such as https://inventory.example.'],
    [{ INVENTORY_KEY: '', INVENTORY_KEY_FILE: keys }, 'is empty, or has a character that no key has.'],
    [{ INVENTORY_CA: keys }, `ca_path (INVENTORY_CA) contains no certificate in PEM: ${keys}`],
  ];
  const strict = { ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'true' };
  for (const [variables, message] of settings) {
    const task = await ansible.runWith({ ...caseOf('wrong'), ...variables }, 'ansible-playbook', file);
    expect([task.code, task.stdout]).toEqual([2, expect.stringContaining(message)]);
    const list = ['-i', hosts, '--list'];
    const inventoryRun = await ansible.runWith(
      { ...caseOf('wrong'), ...strict, ...variables },
      'ansible-inventory',
      ...list,
    );
    expect(inventoryRun.code).not.toBe(0);
    expect(inventoryRun.stderr.replace(/\s+/g, ' ')).toContain(message);
  }
  expect(faulty.requests.get('wrong')).toBeUndefined();
});

test('failed requests are repeated and have one effect', async () => {
  faulty.faults.set('repeat', ['429', '503', 'lost reply']);
  const file = await ansible.playbookOf(`node: { node_name: repeated, node_type: generic, address: a }`);
  const { code, stdout } = await ansible.runWith(caseOf('repeat'), 'ansible-playbook', file);
  expect([code, changedIn(stdout)]).toEqual([0, 1]);
  faulty.faults.set('remove', ['503', '503', '503', '503']);
  const failed = await ansible.runWith(caseOf('remove'), 'ansible-playbook', file);
  expect([failed.code, failed.stdout]).toEqual([2, expect.stringContaining('Interrupted.')]);
  expect(faulty.requests.get('remove')).toBe(4);
});

test('an object that another program adds and changes at the same time is read again, and keeps its other fields', async () => {
  const node = { node_type: 'generic', node_name: 'both', address: 'a' };
  const writes: string[] = [];
  const contended = await startFaultyServer({
    ...inventory,
    request: async (method, path, call) => {
      if (method === 'PUT') await inventory.request('POST', '/v1/nodes', { body: { ...node, az: 'az-1' } });
      if (method === 'PATCH' && !writes.includes(method))
        await inventory.request('PATCH', path, { body: { custom_labels: { team: 'dba' } } });
      if (method !== 'GET') writes.push(method);
      return inventory.request(method, path, call);
    },
  });
  const file = await ansible.playbookOf(`node: { node_name: both, node_type: generic, address: a, region: eu }`);
  const variables = { ...caseOf('both'), INVENTORY_URL: `${contended.base}/both` };
  const { code, stdout } = await ansible.runWith(variables, 'ansible-playbook', file);
  await contended.stop();
  expect([code, changedIn(stdout), writes]).toEqual([0, 1, ['PUT', 'PATCH', 'PATCH']]);
  const { body } = await inventory.request('GET', '/v1/nodes?name_prefix=both');
  expect(body.nodes).toMatchObject([{ region: 'eu', az: 'az-1', custom_labels: { team: 'dba' }, revision: 3 }]);
});
