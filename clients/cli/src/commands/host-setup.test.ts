import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Answer, commandCall, refusal } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './host-setup.ts';

const NODE = '00000000-0000-4000-8000-000000000001';
const AGENT = '00000000-0000-4000-8000-000000000002';
const KEY = 'minv_canary';
const CREDENTIALS = '/etc/monitoring-inventory/credentials';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'host-setup-'));
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  await write('/etc/passwd', `root:x:0:0::/root:/bin/sh\npmm-agent:x:${uid}:${gid}::/:/bin/false\n`);
  await write('/usr/local/percona/pmm2/config/pmm-agent.yaml', `id: /agent_id/${AGENT}\n`);
  await write('/usr/local/percona/pmm2/exporters/vmagent', '');
  await write('/password', 'secret\n');
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const read = (path: string) => readFile(join(root, path), 'utf8');

const replies: Record<string, unknown> = {
  '/v1/caller': { role: 'Registrar', node_id: NODE },
  [`/v1/inventory/services?node_id=${NODE}`]: {
    mysql: [{ service_id: 'id-1', service_name: 'shop/orders', address: '127.0.0.1', port: 3306 }],
    haproxy: [{ service_id: 'id-2', service_name: 'proxy' }],
  },
  [`/v1/agents/${AGENT}`]: { agent_type: 'pmm_agent', agent_id: AGENT, runs_on_node_id: NODE },
};

interface HostCall {
  options?: Record<string, unknown>;
  settings?: Partial<Settings>;
  answer?: Answer;
}

function hostCall({ options = {}, settings = {}, answer = ({ path }) => replies[path] }: HostCall = {}) {
  const given = { root, remoteWrite: 'https://metrics.example/api/v1/write', ...options };
  const call = commandCall({ options: given, answer });
  const connection: Settings = {
    ...{ url: 'https://inventory.example', context: undefined, ca: undefined, insecure: false, key: KEY },
    ...{ keySource: 'key-file', keyFile: undefined, timeout: 1000, ...settings },
  };
  return { ...call, settings: () => Promise.resolve(connection) };
}

/** Runs the command. @returns the action for each file, and the next steps. */
async function setUp(more: HostCall = {}) {
  const call = hostCall({ ...more, options: { output: 'json', ...more.options } });
  await run(call);
  const rows: { file: string; action: string }[] = JSON.parse(call.out());
  return { actions: Object.fromEntries(rows.map(({ file, action }) => [file, action])), next: call.err() };
}

const filesOf = async () => (await readdir(join(root, 'etc'), { recursive: true })).sort();

test('all files are written once, and their secrets are not printed', async () => {
  const options = { exporterPasswordFile: join(root, 'password') };
  const { actions, next } = await setUp({ options });
  expect(new Set(Object.values(actions))).toEqual(new Set(['written']));
  expect(await read('/etc/inventory/key')).toBe(`${KEY}\n`);
  // The name of the service has a slash.
  expect(await read(`${CREDENTIALS}/id-1.dsn`)).toBe('pmm:secret@tcp(127.0.0.1:3306)/\n');
  expect(await read('/etc/inventory/environment')).toContain('INVENTORY_URL=https://inventory.example\n');
  expect(await read('/etc/systemd/system/inventory-vmagent.service')).toContain(
    '/usr/local/percona/pmm2/exporters/vmagent',
  );
  expect(next).toBe(
    '\nNext:\nAs root:\n  systemctl daemon-reload\n  systemctl enable inventory-vmagent\n  systemctl restart pmm-agent inventory-vmagent\n',
  );
  const again = await setUp({ options });
  expect(new Set(Object.values(again.actions))).toEqual(new Set(['unchanged']));
  expect(again.next).toBe('');
  const call = hostCall({ options });
  await run(call);
  expect(call.out()).toMatch(/^FILE +MODE +OWNER +ACTION\n\/etc\/inventory\/key +0600 +pmm-agent +unchanged\n/);
  expect(JSON.stringify([actions, next, call.out(), call.err()])).not.toMatch(/canary|secret/);
});

test('a dry run lists the same files, and writes nothing', async () => {
  const before = await filesOf();
  const { actions } = await setUp({ options: { dryRun: true } });
  expect(await filesOf()).toEqual(before);
  expect((await setUp()).actions).toEqual(actions);
});

test('without a password, templates are written, and named as the next step', async () => {
  const { next } = await setUp();
  expect(await read(`${CREDENTIALS}/id-1.dsn.template`)).toContain('USER:PASSWORD@');
  expect(next).toContain(`remove the extension .template:\n  ${CREDENTIALS}/id-1.dsn.template\n`);
});

test('a database elsewhere gets no password', async () => {
  const mysql = [{ service_id: 'id-1', service_name: 'orders', address: 'evil.example' }];
  const answer: Answer = ({ path }) => (path.includes('/services') ? { mysql } : replies[path]);
  const { next } = await setUp({ answer, options: { exporterPasswordFile: join(root, 'password') } });
  expect((await readdir(join(root, CREDENTIALS))).sort()).toEqual(['orders.dsn.template']);
  expect(next).toContain('orders gets no password: evil.example is no address of this host.');
});

test.each([
  ['is unknown', AGENT, () => refusal(404)],
  ['is one of another host', AGENT, () => refusal(403)],
  ['is on another node', AGENT, () => ({ agent_type: 'pmm_agent', agent_id: AGENT, runs_on_node_id: 'other' })],
  ['is absent', '', () => refusal(500)],
])('a pmm-agent whose id %s is set up with --force, and the steps say what that keeps', async (_, id, reply) => {
  await write('/usr/local/percona/pmm2/config/pmm-agent.yaml', `id: "${id}"\n`);
  const { next } = await setUp({ answer: ({ path }) => (path.includes('/agents/') ? reply() : replies[path]) });
  expect(next).toContain('pmm-agent setup --config-file=/usr/local/percona/pmm2/config/pmm-agent.yaml --force ');
  expect(next).toContain('--force keeps the node, its services and agents here');
});

test('existing files of others stay, all are named, and nothing is written', async () => {
  await write('/etc/inventory/environment', 'mine\n');
  await write('/usr/local/bin/mysqld-exporter-wrapper', 'mine\n');
  const before = await filesOf();
  await expect(setUp()).rejects.toMatchObject({
    exit: 'conflict',
    message: expect.stringMatching(
      /: \/etc\/inventory\/environment, \/usr\/local\/bin\/mysqld-exporter-wrapper\. Nothing was written\. --force replaces them\.$/,
    ),
  });
  expect(await filesOf()).toEqual(before);
  const { actions } = await setUp({ options: { force: true } });
  expect(actions['/etc/inventory/environment']).toBe('changed');
});

test('a host without pmm-agent or vmagent gets the key alone, and the steps say what is missing', async () => {
  await rm(join(root, 'usr'), { recursive: true });
  const call = { options: { remoteWrite: undefined } };
  const { actions, next } = await setUp(call);
  expect(Object.keys(actions)).toEqual(['/etc/inventory/key', '/etc/inventory/environment']);
  expect(next).toContain('install pmm-client');
  expect(next).toContain('--remote-write URL');
});

test('of two PMM clients the newer is set up', async () => {
  await write('/usr/local/percona/pmm/config/pmm-agent.yaml', `id: ${AGENT}\n`);
  await write('/usr/local/percona/pmm/exporters/vmagent', '');
  const { actions } = await setUp({ options: { exporterPasswordFile: join(root, 'password') } });
  expect(actions[`${CREDENTIALS}/id-1.cnf`]).toBe('written');
});

test.each<[string, HostCall, RegExp]>([
  ['without a key', { settings: { key: undefined } }, /--key-file FILE, or set INVENTORY_KEY/],
  [
    'with the key of an Editor',
    { answer: () => ({ role: 'Editor' }) },
    /key-file has the role Editor.*inventory enrol/,
  ],
  ['behind a path', { settings: { url: 'https://x.example/prod' } }, /--agent-address HOST:PORT/],
  ['with a wrong address of the gateway', { options: { agentAddress: 'https://x' } }, /not HOST:PORT/],
  [
    'without the calls of PMM',
    { answer: ({ path }) => (path === '/v1/caller' ? replies[path] : refusal(404)) },
    /PMM_COMPATIBILITY/,
  ],
  ['without the user', { options: { user: 'nobody-here' } }, /no user nobody-here: .* --user NAME/],
  ['with options of vmagent alone', { options: { remoteWrite: undefined, vmagent: '/x' } }, /--remote-write URL/],
  [
    'with a password in the address',
    { options: { remoteWrite: 'https://u:p@m.example/w' } },
    /basicAuth\.passwordFile=FILE/,
  ],
  ['with another address', { options: { remoteWrite: 'metrics.example' } }, /no address of HTTP: metrics\.example/],
  ['with a secret in an option', { options: { vmagentOption: ['-remoteWrite.bearerToken=x'] } }, /that names a file/],
  ['with two options in one', { options: { vmagentOption: ['-a=b -c'] } }, /no option of vmagent/],
  ['with a relative vmagent', { options: { vmagent: 'vmagent' } }, /no absolute path/],
  ['with a user and no password', { options: { exporterUser: 'pmm' } }, /--exporter-password-file FILE/],
  ['with a file that does not exist', { options: { exporterPasswordFile: '/none' } }, /ENOENT/],
])('%s nothing is written, and the message has a remedy', async (_, call, message) => {
  const before = await filesOf();
  await expect(setUp(call)).rejects.toThrow(message);
  expect(await filesOf()).toEqual(before);
});

test('without a key, the command ends as denied', async () => {
  await expect(setUp({ settings: { key: undefined } })).rejects.toMatchObject({ exit: 'denied' });
});

test('without a vmagent on the host, the message names packages and the option', async () => {
  await rm(join(root, 'usr/local/percona/pmm2/exporters'), { recursive: true });
  await expect(setUp()).rejects.toThrow(/install pmm-client, or .*--vmagent PATH/);
  await setUp({ options: { vmagent: '/opt/vmagent' } });
  expect(await read('/etc/systemd/system/inventory-vmagent.service')).toContain('ExecStart=/opt/vmagent ');
});

test('pmm-agent connects to the named gateway, else to the port of the API', async () => {
  const addressFor = async (more: HostCall) => {
    await setUp({ ...more, options: { ...more.options, force: true } });
    return /SERVER_ADDRESS=(.*)/.exec(await read('/etc/inventory/pmm-agent.env'))?.[1];
  };
  expect(await addressFor({})).toBe('inventory.example:443');
  expect(await addressFor({ settings: { url: 'https://inventory.example:8443' } })).toBe('inventory.example:8443');
  expect(await addressFor({ options: { agentAddress: 'agents.example:443' } })).toBe('agents.example:443');
});
