/** The Ansible collection as users install it, run by ansible-core against a server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Ansible, changedIn, installCollection } from './ansible.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
let server: RunningServer;
let keys: Record<string, string>;
let admin: Client;
let ansible: Ansible;

beforeAll(async () => {
  folder = await newDataDir();
  ansible = await installCollection(folder);
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  ({ keys } = await makeKeys(server));
  admin = clientOf(server, bearer(keys['Admin']!));
  Object.assign(ansible.environment, {
    INVENTORY_URL: server.base,
    INVENTORY_KEY: keys['Editor'],
    INVENTORY_CA: join(folder, 'data', 'tls-cert.pem'),
  });
});

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

/** What a play does and reports, without the line of Ansible about its own time. */
const play = (file: string, ...args: string[]) => ansible.program('ansible-playbook', file, '--diff', ...args);

/** Check mode, a run that reports the same, and a second run without changes. */
async function runTwice(file: string): Promise<string> {
  const checked = await play(file, '--check');
  const output = await play(file);
  expect(output).toBe(checked);
  expect(changedIn(output)).toBeGreaterThan(0);
  expect(changedIn(await play(file))).toBe(0);
  return output;
}

const guide = await readFile(join(root, 'docs/ansible.md'), 'utf8');
const readme = await readFile(join(root, 'clients/ansible/README.md'), 'utf8');
const examplesIn = (markdown: string) => fencedBlocks(markdown, 'yaml');

/** The body of a list: the object with this name. */
async function objectNamed(list: string, name: string): Promise<any> {
  const { body } = await admin('GET', `/v1/${list}?name_prefix=${name}`);
  return body[list][0];
}

test('every example of the guide runs: check mode reports the same, a second run changes nothing', async () => {
  const [first, ...others] = examplesIn(guide);
  // host-setup.test.ts runs the one for hosts that move.
  const playbooks = others.filter((playbook) => playbook.includes('monitoring_inventory.inventory.'));
  expect(first!.trim().split('\n')).toHaveLength(5);
  expect(examplesIn(readme)).toEqual([first]);
  expect(playbooks).toHaveLength(2);
  await runTwice(await ansible.fileOf(playbooks.join('')));
  expect(await objectNamed('nodes', 'db-1')).toMatchObject({ custom_labels: { team: 'dba' } });
  const file = await ansible.fileOf(first!, 'monitoring_inventory.yml');
  const list = JSON.parse(await ansible.program('ansible-inventory', '-i', file, '--list'));
  expect(Object.keys(list._meta.hostvars)).toEqual(['db-1']);
  expect([list['team_dba'], list['cluster_orders']]).toEqual([{ hosts: ['db-1'] }, { hosts: ['db-1'] }]);
});

const DRIFT_NODE = `node: { node_name: drift, node_type: generic, address: 10.1.0.1, region: eu, custom_labels: { b: 2, a: yes } }`;

test("another program's change is found, shown by field, and repaired", async () => {
  const file = await ansible.playbookOf(
    DRIFT_NODE,
    `service: { service_name: drift-db, service_type: haproxy, node_names: [drift, drift], cluster: c }`,
    `agent: { agent_type: pmm_agent, runs_on_node_name: drift, custom_labels: {} }`,
    `agent: { agent_type: node_exporter, runs_on_node_name: drift, listen_port: 42000, disabled: false }`,
  );
  await runTwice(file);
  const node = await objectNamed('nodes', 'drift');
  expect(node).toMatchObject({ custom_labels: { a: 'true', b: '2' }, revision: 1 });
  const change = { region: 'us', az: 'us-1', custom_labels: { a: 'no', c: 'x' } };
  bodyOf(await admin('PATCH', `/v1/nodes/${node.node_id}`, { body: change }), 200);
  const repair = await ansible.playbookOf(DRIFT_NODE);
  const output = await play(repair, '--check');
  expect(output).toMatch(/-\s+"c": "x"\n/);
  expect(output).toMatch(/-\s+"region": "us"\n\+\s+"region": "eu"\n/);
  expect(await play(repair)).toBe(output);
  expect(changedIn(output)).toBe(1);
  // A field that the task does not have keeps its value.
  const repaired = await objectNamed('nodes', 'drift');
  expect(repaired).toMatchObject({ region: 'eu', az: 'us-1', custom_labels: { a: 'true', b: '2' }, revision: 3 });
  const reset = await ansible.playbookOf(`node: { node_name: drift, reset: [az, region] }`);
  await runTwice(reset);
  const cleared = await objectNamed('nodes', 'drift');
  expect([cleared.az, cleared.region]).toEqual([undefined, undefined]);
});

test('absent objects are removed once, and dependent ones only with force', async () => {
  const node = { node_type: 'generic', node_name: 'gone', address: '10.2.0.1' };
  const { node_id: runs_on_node_id } = bodyOf(await admin('POST', '/v1/nodes', { body: node }), 201);
  const process = { agent_type: 'pmm_agent', runs_on_node_id };
  const { agent_id: pmm_agent_id } = bodyOf(await admin('POST', '/v1/agents', { body: process }), 201);
  const exporter = { agent_type: 'node_exporter', pmm_agent_id };
  bodyOf(await admin('POST', '/v1/agents', { body: exporter }), 201);
  const refused = await ansible.runWith(
    {},
    'ansible-playbook',
    await ansible.playbookOf(`node: { node_name: gone, state: absent }`),
  );
  expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('FAILED_PRECONDITION')]);
  const file = await ansible.playbookOf(
    `agent: { agent_type: node_exporter, runs_on_node_name: gone, state: absent }`,
    `node: { node_name: gone, state: absent, force: true }`,
  );
  expect(changedIn(await runTwice(file))).toBe(2);
  expect(await objectNamed('nodes', 'gone')).toBeUndefined();
});

test('a wrong task is refused in check mode with the reason', async () => {
  const wrong = {
    'node: { node_name: wrong, address: a }': 'node_type is required to add node wrong.',
    'node: { node_name: wrong, node_type: generic }': 'address is required to add node wrong.',
    'node: { node_name: wrong, node_type: generic, address: a, container_id: c }': 'generic has no container_id.',
    'node: { node_name: db-1, node_type: container }': 'A type cannot change: remove it first.',
    'node: { node_name: db-1, reset: [address] }': 'address cannot be reset.',
    'agent: { agent_type: external_exporter, listen_port: 1 }': 'Requires runs_on_node_name or insights',
  };
  const tasks = Object.keys(wrong).map((task) => `${task}\n      ignore_errors: true`);
  const file = await ansible.playbookOf(...tasks);
  const output = await play(file, '--check');
  for (const reason of Object.values(wrong)) expect(output).toContain(reason);
  expect(output).toContain(`ignored=${tasks.length}`);
});

describe('the module scope', () => {
  const scopeOf = (more: string, ...names: string[]) => {
    const nodes = names.map(
      (name) => `{ node_type: generic, node_name: ${name}, address: ${name}, custom_labels: { fleet: cap } }`,
    );
    return ansible.playbookOf(`scope: { selector: fleet=cap, nodes: [${nodes.join(', ')}]${more} }`);
  };

  test('a Viewer can plan, and the removals are capped in both modes', async () => {
    const file = await scopeOf('', 'cap-1', 'cap-2', 'cap-3', 'cap-4');
    const viewer = await ansible.runWith(
      { INVENTORY_KEY: keys['Viewer'] },
      'ansible-playbook',
      file,
      '--diff',
      '--check',
    );
    expect(await play(file)).toBe(viewer.stdout);
    expect(viewer.stdout).toMatch(/\+\s+"address": "cap-1"/);
    const fewer = await scopeOf('', 'cap-1', 'cap-2');
    for (const mode of [['--check'], []]) {
      const refused = await ansible.runWith({}, 'ansible-playbook', fewer, ...mode);
      expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('max_removals_percent allows 20 %')]);
    }
    const output = await runTwice(await scopeOf(', max_removals_percent: 50', 'cap-1', 'cap-2'));
    expect(output).toMatch(/-\s+"node cap-3": \{\}/);
    expect(await objectNamed('nodes', 'cap-3')).toBeUndefined();
  });

  test('a blocked item prevents the others, except with the option to continue', async () => {
    const taken = { node_type: 'generic', node_name: 'taken', address: 'a' };
    bodyOf(await admin('POST', '/v1/nodes', { body: taken }), 201);
    const names = ['cap-1', 'cap-2', 'cap-5', 'taken'];
    for (const mode of [['--check'], []]) {
      const refused = await ansible.runWith({}, 'ansible-playbook', await scopeOf('', ...names), ...mode);
      expect([refused.code, refused.stdout]).toEqual([
        2,
        expect.stringContaining('Blocked items, nothing was changed'),
      ]);
    }
    expect(await objectNamed('nodes', 'cap-5')).toBeUndefined();
    await runTwice(await scopeOf(', on_blocked: continue', ...names));
    expect(await objectNamed('nodes', 'cap-5')).toMatchObject({ address: 'cap-5' });
  });
});

test('a wrong key and a server that does not answer have clear messages, without the key', async () => {
  const canary = `minv_${'CANARY'.repeat(6)}`;
  const file = await ansible.playbookOf(`node: { node_name: db-1 }`);
  const hosts = await ansible.fileOf('plugin: monitoring_inventory.inventory.nodes\n', 'monitoring_inventory.yml');
  const outputs: string[] = [];
  for (const [name, args, reason] of [
    ['ansible-playbook', ['-vvvv', file], 'Invalid API key'],
    ['ansible-inventory', ['-vvvv', '-i', hosts, '--list'], 'Invalid API key'],
    ['ansible-playbook', ['-vvvv', file], 'did not answer'],
  ] as const) {
    const url = reason === 'did not answer' ? { INVENTORY_URL: 'https://127.0.0.1:1' } : {};
    const failed = await ansible.runWith(
      { INVENTORY_KEY: canary, ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'true', ...url },
      name,
      ...args,
    );
    expect(failed.code).not.toBe(0);
    expect(failed.stdout + failed.stderr).toContain(reason);
    outputs.push(failed.stdout, failed.stderr);
  }
  const option = await ansible.runWith(
    {},
    'ansible-playbook',
    '-vvvv',
    await ansible.playbookOf(`node: { node_name: db-1, api_key: ${canary} }`),
  );
  expect(option.code).not.toBe(0);
  // Ansible shows the lines of a playbook that has a key in it, hence not these.
  const result = option.stdout.split('\n').filter((line) => !/^\d+ /.test(line));
  expect([...outputs, ...result].join('\n')).not.toContain('CANARY');
});

test('the documentation of every plugin is complete', async () => {
  const names = ['node', 'service', 'agent', 'scope'].map((name) => `monitoring_inventory.inventory.${name}`);
  const modules = JSON.parse(await ansible.program('ansible-doc', '--json', ...names));
  expect(Object.keys(modules)).toEqual(names.sort());
  expect(modules['monitoring_inventory.inventory.agent'].doc.options.agent_type).toMatchObject({ required: true });
  const inventory = JSON.parse(
    await ansible.program('ansible-doc', '-t', 'inventory', '--json', 'monitoring_inventory.inventory.nodes'),
  );
  expect(Object.values<any>(inventory)[0].doc.options.filters.suboptions).toHaveProperty('region');
});
