/** The sidecar of docs/kubernetes.md, run as its pod would run it: with its variables, its secret's files, and its signals. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { type Group, start } from '../deploy/processes.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from './client.ts';
import { eventually } from './processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** The time from SIGTERM to SIGKILL of a pod without a setting of its own. */
const GRACE_MS = 30_000;

const NAME = 'shop.orders-0';

/** The values that the cluster would give the variables. */
const fields: Readonly<Record<string, string>> = {
  'metadata.name': 'orders-0',
  'metadata.namespace': 'shop',
  'status.podIP': '10.1.2.3',
};

let folder: string;
let server: RunningServer;
let editor: Client;
let pod: any;
let sidecar: any;
const running: Group[] = [];

beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { keys } = await makeKeys(server);
  editor = clientOf(server, bearer(keys.Editor));
  await mkdir(join(folder, 'secret'));
  await useKey(keys.Editor);
  await copyFile(join(server.dataDir, 'tls-cert.pem'), join(folder, 'secret', 'ca.pem'));
  await buildCommandLine(join(folder, 'program', 'inventory.cjs'));
  const text = await readFile(new URL('../../docs/kubernetes.md', import.meta.url), 'utf8');
  const section = text.split('\n## ').find((part) => part.startsWith('A sidecar\n')) ?? '';
  const document = parseDocument(fencedBlocks(section, 'yaml')[0] ?? '');
  expect([document.errors, document.warnings]).toEqual([[], []]);
  pod = document.toJS();
  [sidecar] = pod.spec.initContainers;
});

afterEach(() => Promise.all(running.splice(0).map((group) => group.stop(0))));

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

const useKey = (key: string) => writeFile(join(folder, 'secret', 'key'), `${key}\n`, { mode: 0o600 });

/** The path in the folder of the test instead of the mounted one. */
const here = (text: string) =>
  text.replaceAll('/etc/inventory', join(folder, 'secret')).replaceAll('/opt/inventory', join(folder, 'program'));

/** Starts the container. */
function startContainer(more: Record<string, string> = {}): Group {
  const containerEnv = Object.fromEntries(
    sidecar.env.map(({ name, value, valueFrom }: any) => [name, here(value ?? fields[valueFrom.fieldRef.fieldPath])]),
  );
  const env = { PATH: process.env['PATH'], ...containerEnv, INVENTORY_URL: server.base, ...more };
  const group = start(sidecar.command.map(here), { cwd: folder, env });
  running.push(group);
  return group;
}

const listed = async (path: 'nodes' | 'services' | 'agents'): Promise<any[]> =>
  bodyOf(await editor('GET', `/v1/${path}?include=state`), 200)[path];

/** The first report follows the declarations. */
const hasReported = async () => (await listed('nodes'))[0]?.state === 'live';

test('the manifest is a pod with a native sidecar, whose files are mounted', () => {
  expect(pod).toMatchObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name: fields['metadata.name'] } });
  expect(sidecar).toMatchObject({ restartPolicy: 'Always', image: expect.stringMatching(/^node:\d+-alpine$/) });
  const files = JSON.stringify([sidecar.command, sidecar.env]).match(/\/(?:etc|opt)\/inventory/g);
  expect(new Set(files)).toEqual(new Set(sidecar.volumeMounts.map(({ mountPath }: any) => mountPath)));
  for (const { name } of sidecar.volumeMounts)
    expect(pod.spec.volumes.map((volume: any) => volume.name)).toContain(name);
});

test('it declares the pod and its database, repeats after a crash, reports, and removes them at the end', async () => {
  const first = startContainer();
  await eventually(hasReported);
  const [node] = await listed('nodes');
  expect(node).toMatchObject({
    node_type: 'container',
    node_name: NAME,
    address: '10.1.2.3',
    lifetime: 'ephemeral',
    custom_labels: { namespace: 'shop' },
  });
  expect(await listed('services')).toMatchObject([
    { service_type: 'mysql', service_name: NAME, node_ids: [node.node_id], address: '10.1.2.3', port: 3306 },
  ]);
  await first.crash();
  expect(await listed('nodes')).toHaveLength(1);
  // The next container finds the existing objects; the pod may have another address.
  const second = startContainer({ POD_IP: '10.1.2.4' });
  await eventually(async () => (await listed('services'))[0].address === '10.1.2.4');
  expect(await listed('nodes')).toMatchObject([{ node_id: node.node_id, revision: 2 }]);
  await second.stop(GRACE_MS);
  expect(await second.ended).toBe(143);
  expect([await listed('nodes'), await listed('services'), await listed('agents')]).toEqual([[], [], []]);
});

test('a pod that cannot reach the inventory adds nothing and ends with an error, so that it is restarted', async () => {
  const group = startContainer({ INVENTORY_URL: 'https://localhost:9' });
  expect(await group.ended).toBe(7);
  expect(await listed('nodes')).toEqual([]);
});

test('a Registrar key reports for its own node only', async () => {
  const admin = clientOf(server, basic('admin', PASSWORD));
  const { token } = bodyOf(
    await admin('POST', '/v1/enrolment-tokens', { body: { name: 'pod', allowed_addresses: ['10.0.0.0/8'] } }),
    201,
  );
  const node = { node_type: 'container', node_name: NAME, address: '10.0.0.0' };
  const enrolled = bodyOf(await clientOf(server)('POST', '/v1/enrolment', { body: { token, node } }), 201);
  await useKey(enrolled.api_key.key);
  const group = startContainer();
  await eventually(hasReported);
  expect(await listed('nodes')).toMatchObject([{ node_id: enrolled.node.node_id, address: '10.1.2.3' }]);
  const other = startContainer({ POD: 'other-0' });
  expect(await other.ended).toBe(3);
  expect(await listed('nodes')).toHaveLength(1);
  expect(group.said() + other.said()).not.toContain(enrolled.api_key.key.slice(0, 12));
});
