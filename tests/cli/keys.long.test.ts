/** The key of a command, and the errors of a server that cannot be used: the built program as a process. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCertificate } from '../../local/server/certificate.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type EndedProcess, start } from './processes.ts';
import { type ServedInventory, serveInventory } from './served-inventory.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

let inventory: Inventory;
let served: ServedInventory;
let folder: string;
let program: string;
/** Holds requests for this path until it is released. */
let hold: { path: string; arrived: () => void; released: Promise<unknown> } | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-keys-'));
  program = join(folder, 'inventory.cjs');
  await buildCommandLine(program);
  inventory = await startInventory({ clock: timeOfDay });
  served = await serveInventory(inventory, async (_, path) => {
    if (hold === undefined || !path.startsWith(hold.path)) return;
    hold.arrived();
    await hold.released;
  });
});
afterAll(async () => {
  await served.stop();
  await inventory.stop();
  await rm(folder, { recursive: true });
});

const begin = (argv: readonly string[], env: Record<string, string> = {}, input = '', flags: readonly string[] = []) =>
  start(process.execPath, [...flags, program, ...argv], {
    env: { HOME: folder, INVENTORY_URL: served.address, ...env },
    input,
    cwd: folder,
  });
const run = (...call: Parameters<typeof begin>): Promise<EndedProcess> => begin(...call).ended;

const state = `scope: { selector: fleet=canary }
nodes: [{ node_type: generic, node_name: canary, address: canary.example, custom_labels: { fleet: canary } }]
`;

test('no output contains a key, and no file except the credentials', async () => {
  const key = inventory.keys.Admin;
  await writeFile(join(folder, 'fleet.yaml'), state);
  const env = { INVENTORY_KEY: key };
  const ended = [
    await run(['plan', '-f', 'fleet.yaml', '--out', 'plan.json', '--debug'], env),
    await run(['apply', 'plan.json', '-y', '--debug'], env),
    await run(['export', '--out', 'lines', '--progress-file', 'progress', '--debug'], env),
    await run(['import', 'lines', '--progress-file', 'progress-of-import', '--debug'], env),
    await run(['doctor', '--debug'], env),
    await run(['get', 'nodes', 'absent', '--debug', '-o', 'json'], env),
    await run(['get', 'nodes', '--debug'], { INVENTORY_KEY: `${key}x` }),
    await run(['login', served.address, '--key-stdin', '--debug'], {}, key),
    await run(['whoami', '--debug'], {}),
  ];
  expect(ended.map(({ code }) => code)).toEqual([2, 0, 0, 0, 0, 5, 3, 0, 0]);
  expect(ended.filter(({ out, err }) => `${out}${err}`.includes(key))).toEqual([]);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const texts = files.map(
    async (file) => [file.name, await readFile(join(file.parentPath, file.name), 'utf8')] as const,
  );
  const having = (await Promise.all(texts)).filter(([, text]) => text.includes(key)).map(([name]) => name);
  expect(having).toEqual(['credentials.json']);
});

test('no list of arguments and no diagnostic report contains a key', async () => {
  const key = inventory.keys.Admin;
  const [arrived, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  hold = { path: '/v1/caller', arrived: () => arrived.resolve(undefined), released: released.promise };
  const reports = await mkdtemp(join(folder, 'reports-'));
  const flags = ['--report-on-signal', `--report-directory=${reports}`];
  const { child, ended } = begin(['whoami'], { INVENTORY_KEY: key }, '', flags);
  try {
    await arrived.promise;
    const parts = await readFile(`/proc/${child.pid}/cmdline`, 'utf8');
    expect([parts.includes('whoami'), parts.includes(key)]).toEqual([true, false]);
    child.kill('SIGUSR2');
    while ((await readdir(reports)).length === 0) await sleep(20);
  } finally {
    hold = undefined;
    released.resolve(undefined);
  }
  expect((await ended).code).toBe(0);
  const report = await readFile(join(reports, (await readdir(reports))[0]!), 'utf8');
  expect([report.includes('"trigger": "Signal"'), report.includes(key)]).toEqual([true, false]);
});

describe('an unusable server causes one line and its exit code', () => {
  const lineOf = ({ code, out, err }: EndedProcess) => [code, out, err.trimEnd().split('\n')];

  test('stopped', async () => {
    const INVENTORY_URL = 'http://127.0.0.1:1';
    const stopped = await run(['get', 'nodes', '-q'], { INVENTORY_URL, INVENTORY_KEY: 'minv_x' });
    expect(lineOf(stopped)).toEqual([7, '', [expect.stringMatching(/^Error: .*ECONNREFUSED/)]]);
  });

  test('with a certificate that nobody has signed', async () => {
    const server = createServer(await ensureCertificate(await mkdtemp(join(folder, 'certificate-'))));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const INVENTORY_URL = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const ended = await run(['get', 'nodes', '-q'], { INVENTORY_URL, INVENTORY_KEY: 'minv_x' });
      const line = `Error: ${INVENTORY_URL} is not trusted: Error: self-signed certificate. Use --ca FILE; of npm start: DATA_DIR/tls-cert.pem.`;
      expect(lineOf(ended)).toEqual([64, '', [line]]);
    } finally {
      server.close();
    }
  });

  test('with a key that has expired', async () => {
    const made = await run(['key', 'add', 'short', '--role', 'Viewer', '--time-to-live', '1h', '-o', 'json'], {
      INVENTORY_KEY: inventory.keys.Admin,
    });
    const { key } = JSON.parse(made.out);
    inventory.clock.now = new Date(Date.now() + 2 * 3_600_000);
    const ended = await run(['get', 'nodes'], { INVENTORY_KEY: key });
    expect(lineOf(ended)).toEqual([3, '', [expect.stringMatching(/^Error: .*expired/i)]]);
  });
});
