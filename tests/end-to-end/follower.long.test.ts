import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Random, seedFrom } from '../consistency/random.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { makeKeys, PASSWORD } from './client.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const seed = seedFrom('SEED');

let server: RunningServer;
let key: string;
let folder: string;
let file: string;

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  key = (await makeKeys(server)).keys.Editor;
  const text = await readFile(new URL('../../docs/changes.md', import.meta.url), 'utf8');
  const [code = ''] = fencedBlocks(text, 'ts');
  folder = await mkdtemp(join(tmpdir(), 'follower-'));
  file = join(folder, 'follower.mts');
  await writeFile(file, code);
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
  await rm(folder, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown) =>
  https(server.base, method, path, { headers: { Authorization: `Bearer ${key}` }, body });

function follower(copy: string): ChildProcess {
  const env = {
    INVENTORY_URL: server.base,
    INVENTORY_KEY: key,
    COPY: copy,
    NODE_EXTRA_CA_CERTS: join(server.dataDir, 'tls-cert.pem'),
  };
  return spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => void child.once('exit', () => resolve()));

/** Adds, changes and removes what it added, with what hangs below it. */
async function write(random: Random, client: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const node = { node_type: 'generic', node_name: `n-${client}-${turn}`, address: 'a' };
    const { node_id: id } = (await call('POST', '/v1/nodes', node)).body;
    await call('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
    await call('PATCH', `/v1/nodes/${id}`, { distro: `d${turn}`, custom_labels: { turn: String(turn) } });
    if (random.chance(0.5)) await call('PATCH', `/v1/nodes/${id}`, { distro: null, custom_labels: { turn: null } });
    if (random.chance(0.4)) await call('DELETE', `/v1/nodes/${id}?force=true`);
  }
}

const MIN_KILLS = 3;

async function inventory(): Promise<Record<string, unknown>> {
  const { text } = await call('GET', '/v1/export?page_size=1000');
  const lines: any[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const objects = lines.filter(({ kind }) => kind !== 'end');
  return Object.fromEntries(objects.map(({ kind, object }) => [object[`${kind}_id`], object]));
}

const copyOf = async (path: string) => JSON.parse(await readFile(path, 'utf8')).objects as unknown;

test(`docs/changes.md: the follower, killed at random times while 16 clients write, ends with the server's inventory (SEED=${seed})`, async () => {
  const random = new Random(seed);
  await write(random.fork(), -1, 3);
  const copy = join(folder, 'copy.json');
  let child = follower(copy);
  const progress = { isOver: false };
  let kills = 0;
  const killing = (async () => {
    while (!progress.isOver) {
      await delay(200 + random.below(900));
      child.kill('SIGKILL');
      await ended(child);
      kills += 1;
      child = follower(copy);
    }
  })();
  // A fast server writes all of it before the third kill.
  for (let round = 0; round === 0 || kills < MIN_KILLS; round += 1)
    await Promise.all(Array.from({ length: 16 }, (_, client) => write(random.fork(), 16 * round + client, 6)));
  progress.isOver = true;
  await killing;
  const expected = await inventory();
  expect(Object.keys(expected).length).toBeGreaterThan(30);
  // On a busy machine the last changes take a while. Then nothing is to change any more.
  for (let waits = 0; waits < 240; waits += 1) {
    await delay(250);
    if (isDeepStrictEqual(await copyOf(copy).catch(() => undefined), expected)) break;
  }
  await delay(1500);
  child.kill('SIGKILL');
  await ended(child);
  expect(await copyOf(copy)).toEqual(expected);
});

test('the follower of docs/changes.md has 30 lines of work', async () => {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  expect(lines.filter((line) => !/^import |^}$|^ *}$/.test(line)).length).toBeLessThanOrEqual(30);
});
