/** The sidecar of docs/automation.md, run as its pod would run it: with its variables, its secret's files, and its signals. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { type Group, start } from '../deploy/processes.ts';
import { newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from './client.ts';
import { eventually } from './processes.ts';

/** What a pod without a setting of its own has from SIGTERM to SIGKILL. */
const GRACE_MS = 30_000;

/** Where the script finds the secret's files in the pod. */
const MOUNT = '/etc/inventory';

const NAME = 'shop.orders-0';

/** What the cluster would put into the variables. */
const fields: Readonly<Record<string, string>> = {
  'metadata.name': 'orders-0',
  'metadata.namespace': 'shop',
  'status.podIP': '10.1.2.3',
};

let folder: string;
let server: RunningServer;
let editor: Client;
let section: string;
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
  const docs = await readFile(new URL('../../docs/automation.md', import.meta.url), 'utf8');
  [section = ''] = docs.split('\n## ').filter((one) => one.startsWith('A sidecar in Kubernetes\n'));
  const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(section) ?? [];
  const document = parseDocument(yaml);
  expect([document.errors, document.warnings]).toEqual([[], []]);
  pod = document.toJS();
  sidecar = pod.spec.containers.find(({ name }: { name: string }) => name === 'inventory');
});

afterEach(() => Promise.all(running.splice(0).map((group) => group.stop(0))));

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

const useKey = (key: string) => writeFile(join(folder, 'secret', 'key'), `${key}\n`, { mode: 0o600 });

/** Replaces what must be there once. */
function replaced(text: string, from: string, to: string, times = 1): string {
  if (text.split(from).length !== times + 1) throw new Error(`not ${times} times in the documented sidecar: ${from}`);
  return text.replaceAll(from, to);
}

/** Starts the container, with a shorter time between two declarations. */
function startContainer(more: Record<string, string> = {}): Group {
  const own = Object.fromEntries(
    sidecar.env.map(({ name, value, valueFrom }: any) => [name, value ?? fields[valueFrom.fieldRef.fieldPath]]),
  );
  const [shell, option, script] = sidecar.command;
  const here = replaced(replaced(script, MOUNT, join(folder, 'secret'), 2), 'sleep 300', 'sleep 1');
  const env = { PATH: process.env['PATH'], ...own, INVENTORY_URL: server.base, ...more };
  const group = start([shell, option, here], { cwd: folder, env });
  running.push(group);
  return group;
}

const listed = async (path: 'nodes' | 'services'): Promise<any[]> =>
  bodyOf(await editor('GET', `/v1/${path}`), 200)[path];
const isListed = async () => (await listed('services')).length === 1;

/** Waits for two declarations more: what the sidecar would do again, it has done. */
async function afterTurns(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const [node] = await listed('nodes');
    bodyOf(await editor('PATCH', `/v1/nodes/${node.node_id}`, { body: { custom_labels: { seen: 'no' } } }), 200);
    await eventually(async () => (await listed('nodes'))[0]?.custom_labels.seen === undefined);
  }
}

test('the manifest is a pod whose sidecar gets all that its script reads', () => {
  expect(pod).toMatchObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name: fields['metadata.name'] } });
  expect(Object.keys(sidecar).sort()).toEqual(['command', 'env', 'image', 'name', 'volumeMounts']);
  expect(sidecar.image).toMatch(/^curlimages\/curl:\d+\.\d+\.\d+$/);
  expect(sidecar.volumeMounts).toEqual([{ name: 'inventory', mountPath: MOUNT, readOnly: true }]);
  expect(pod.spec.volumes).toEqual([{ name: 'inventory', secret: { secretName: 'inventory' } }]);
  const script: string = sidecar.command.at(-1);
  const files = [...script.matchAll(/\/etc\/inventory\/([\w.]+)/g)].map(([, file]) => file);
  expect(section).toMatch(/^kubectl create secret generic inventory /m);
  const given = [...section.matchAll(/--from-file=([\w.]+)=/g)].map(([, file]) => file);
  expect(new Set(files)).toEqual(new Set(given));
  for (const { name, value, valueFrom } of sidecar.env) {
    expect(script).toContain(`$${name}`);
    expect(value ?? fields[valueFrom.fieldRef.fieldPath]).toEqual(expect.any(String));
  }
});

test('it declares the pod and its database, again after a restart, and takes them out when the pod ends', async () => {
  const first = startContainer();
  await eventually(isListed);
  const [node] = await listed('nodes');
  expect(node).toMatchObject({
    node_type: 'container',
    node_name: NAME,
    address: '10.1.2.3',
    custom_labels: { namespace: 'shop' },
    revision: 1,
  });
  expect(await listed('services')).toMatchObject([
    { service_type: 'mysql', service_name: NAME, node_ids: [node.node_id], address: '10.1.2.3', port: 3306 },
  ]);

  // A container that crashes says nothing, and the next one finds the existing objects.
  await first.stop(0);
  expect(await isListed()).toBe(true);
  const second = startContainer();
  await afterTurns();
  const [same, ...others] = await listed('nodes');
  expect([same.node_id, same.created_at, others]).toEqual([node.node_id, node.created_at, []]);
  expect([first.said(), second.said()]).toEqual(['', '']);

  // What somebody else removes is there again with the next declaration.
  expect((await editor('DELETE', `/v1/nodes/${node.node_id}?force=true`)).status).toBe(204);
  await eventually(isListed);

  const asked = performance.now();
  await second.stop(GRACE_MS);
  expect(await second.ended).toBe(0);
  expect(performance.now() - asked).toBeLessThan(GRACE_MS / 3);
  expect([await listed('nodes'), await listed('services')]).toEqual([[], []]);
});

test('a pod that ends before it was ever listed adds nothing on its way out', async () => {
  const nobody = 'https://localhost:9';
  const group = startContainer({ INVENTORY_URL: nobody });
  await eventually(() => group.said().includes('curl:'));
  await group.stop(GRACE_MS);
  expect(await group.ended).toBe(0);
  expect(await listed('nodes')).toEqual([]);

  const late = startContainer();
  await eventually(isListed);
  const [node] = await listed('nodes');
  expect((await editor('DELETE', `/v1/nodes/${node.node_id}?force=true`)).status).toBe(204);
  await late.stop(GRACE_MS);
  expect([await late.ended, await listed('nodes')]).toEqual([0, []]);
});

test('a key that is rotated counts without a restart, and is never shown', async () => {
  const admin = clientOf(server, basic('admin', PASSWORD));
  const { key, key_id: id } = bodyOf(
    await admin('POST', '/v1/api-keys', { body: { name: 'sidecar', role: 'Editor' } }),
    201,
  );
  await useKey(key);
  const group = startContainer();
  await eventually(isListed);
  const rotated = bodyOf(await admin('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '0s' } }), 200);
  await eventually(() => group.said().includes('401'));
  await useKey(rotated.key);
  await afterTurns();
  await group.stop(GRACE_MS);
  expect(await listed('nodes')).toEqual([]);
  expect(group.said()).not.toContain(key.slice(0, 12));
});

test("a Registrar's key does for its own node, and for no other", async () => {
  const admin = clientOf(server, basic('admin', PASSWORD));
  const { token } = bodyOf(
    await admin('POST', '/v1/enrolment-tokens', { body: { name: 'pod', allowed_addresses: ['10.0.0.0/8'] } }),
    201,
  );
  const node = { node_type: 'container', node_name: NAME, address: '10.0.0.0' };
  const enrolled = bodyOf(await clientOf(server)('POST', '/v1/enrolment', { body: { token, node } }), 201);
  await useKey(enrolled.api_key.key);
  startContainer();
  await eventually(isListed);
  expect(await listed('nodes')).toMatchObject([{ node_id: enrolled.node.node_id, address: '10.1.2.3' }]);
  const other = startContainer({ POD: 'other-0' });
  await eventually(() => other.said().includes('403'));
  expect(await listed('nodes')).toHaveLength(1);
});
