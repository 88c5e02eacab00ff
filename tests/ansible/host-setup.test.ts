/** The documented playbook that sets up hosts which move from PMM, run by Ansible on hosts that are folders. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ansiblePrograms } from '../../tools/package-ansible.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';
import { type FaultyServer, startFaultyServer } from '../clients/faulty-server.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type Ansible, changedIn, installCollection } from './ansible.ts';

const HOSTS = ['db-1', 'db-2', 'db-3'];

let ansible: Ansible;
let inventory: Inventory;
let server: FaultyServer;

beforeAll(async () => {
  ansible = await installCollection(await newDataDir());
  inventory = await startInventory({ clock: timeOfDay });
  server = await startFaultyServer(inventory);
  await mkdir(join(ansible.folder, 'lib'));
  await write('mysql-password', 'canary-of-mysql');
  await write('inventory-ca.pem', await readFile(new URL('../../LICENSE', import.meta.url), 'utf8'));
  await buildCommandLine(join(ansible.folder, 'inventory.cjs'));
  for (const [index, name] of HOSTS.entries()) await addHost(name, index + 1);
});
afterAll(async () => {
  await server.stop();
  await inventory.stop();
  await removeDataDir(ansible.folder);
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(ansible.folder, path)), { recursive: true });
  await writeFile(join(ansible.folder, path), text);
}

const at = (host: string, path: string) => readFile(join(ansible.folder, 'hosts', host, path), 'utf8');

/** A node with a service and a key, and the folder of its host with PMM's client. */
async function addHost(name: string, number: number): Promise<void> {
  const post = async (path: string, body: object) => {
    const reply = await inventory.request('POST', path, { body });
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body;
  };
  const { token } = await post('/v1/enrolment-tokens', { name, allowed_addresses: ['*'] });
  const node = { node_type: 'generic', node_name: name, address: `${name}.example` };
  const enrolled = await post('/v1/enrolment', { token, node });
  await write(`keys/${name}`, enrolled.api_key.key);
  await post('/v1/services', {
    ...{
      service_type: 'mysql',
      service_name: `${name}-mysql`,
      node_ids: [enrolled.node.node_id],
      address: '127.0.0.1',
      port: 3300 + number,
    },
  });
  const { agent_id: id } = await post('/v1/agents', {
    agent_type: 'pmm_agent',
    runs_on_node_id: enrolled.node.node_id,
  });
  const user = `pmm-agent:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`;
  await write(`hosts/${name}/etc/passwd`, user);
  await write(`hosts/${name}/usr/local/percona/pmm2/config/pmm-agent.yaml`, `id: /agent_id/${id}\n`);
  await write(`hosts/${name}/usr/local/percona/pmm2/exporters/vmagent`, '');
}

/** The documented playbook for folders in place of hosts. */
async function playbook(): Promise<string> {
  const docs = await readFile(new URL('../../docs/ansible.md', import.meta.url), 'utf8');
  const [text = ''] = fencedBlocks(docs, 'yaml').filter((block) => block.includes('host-setup'));
  const parts: Record<string, string> = {
    'become: true': 'become: false',
    '- node\n': `- ${process.execPath}\n`,
    '/usr/local/lib/{{': `${ansible.folder}/lib/{{`,
    '/usr/local/lib/inventory.cjs': `${ansible.folder}/lib/inventory.cjs`,
    // The server of the test has no TLS.
    '          - --ca=/usr/local/lib/inventory-ca.pem\n': `          - --root=${ansible.folder}/hosts/{{ inventory_hostname }}\n`,
    'https://inventory.example.com': `${server.base}/x`,
    // Folders have no systemd.
    'ansible.builtin.systemd_service: { name: "{{ item }}", state: restarted, enabled: true, daemon_reload: true }':
      'ansible.builtin.debug: { msg: "restarted {{ item }}" }',
    '- --output=json': '- --output=json\n          - --agent-address=inventory.example:443',
  };
  const replaced = Object.entries(parts).reduce((all, [from, to]) => {
    expect([from, all.split(from).length]).toEqual([from, 2]);
    return all.replace(from, () => to);
  }, text);
  return ansible.fileOf(replaced, 'move.yml');
}

test('the playbook sets up each host with its own key and service, and a second run changes nothing', async () => {
  const file = await playbook();
  const local = `ansible_connection=local ansible_python_interpreter=${ansiblePrograms}/python`;
  const args = ['-i', `${HOSTS.join(',')},`, '-e', local, file];
  const first = await ansible.program('ansible-playbook', ...args);
  for (const [index, host] of HOSTS.entries()) {
    const key = await readFile(join(ansible.folder, 'keys', host), 'utf8');
    expect(await at(host, 'etc/inventory/key')).toBe(`${key}\n`);
    expect(await at(host, `etc/monitoring-inventory/credentials/${host}-mysql.dsn`)).toBe(
      `pmm:canary-of-mysql@tcp(127.0.0.1:${3301 + index})/\n`,
    );
    expect(first).not.toContain(key);
    expect(first).toContain('restarted pmm-agent');
  }
  expect(first).not.toContain('canary');
  expect(changedIn(first)).toBeGreaterThan(0);
  const again = await ansible.program('ansible-playbook', ...args);
  expect(changedIn(again)).toBe(0);
  expect(again).not.toContain('restarted');
});
