/** The real server when its disk is full, its database file is damaged, or the file is gone. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bearer, bodyOf, type Client, clientOf, listAll, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { startedServers } from '../end-to-end/started-servers.ts';
import type { FailedStart, RunningServer } from '../support/server.ts';

const run = promisify(execFile);
const servers = startedServers();
const environment = { ADMIN_PASSWORD: PASSWORD };

let count = 0;

/** A node that takes 40 kB. */
function largeNode() {
  count += 1;
  const labels = Array.from({ length: 40 }, (_, index) => [`label_${index}`, 'x'.repeat(1000)]);
  const name = `node-${count}`;
  return { node_type: 'generic', node_name: name, address: name, custom_labels: Object.fromEntries(labels) };
}

const add = (editor: Client) => editor('POST', '/v1/nodes', { body: largeNode() });
const ready = (server: RunningServer) => clientOf(server)('GET', '/v1/readyz');

async function startFilled(): Promise<{ server: RunningServer; editor: Client; key: string }> {
  const server = await servers.start({ environment });
  const { keys } = await makeKeys(server);
  const editor = clientOf(server, bearer(keys.Editor));
  for (let nodes = 0; nodes < 10; nodes += 1) bodyOf(await add(editor), 201);
  return { server, editor, key: keys.Editor };
}

async function failedStart(): Promise<FailedStart> {
  const failed = await servers.start({ environment }).then(
    () => Promise.reject(new Error('it started')),
    (error: unknown) => error as FailedStart,
  );
  expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
  // One line, and no stack.
  expect(failed.stderr).toMatch(/^[^\n]+\n$/);
  return failed;
}

/** What each reply says while a fault lasts. */
const unavailable = (problem: string, remedy: string) => {
  const message = expect.stringMatching(new RegExp(`${problem}.*${remedy}`));
  return { status: 503, body: { code: 14, status: 'UNAVAILABLE', message } };
};

const faultsIn = (server: RunningServer) =>
  server
    .stderr()
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    // On a busy machine a log-in may take too long.
    .filter(({ fault }) => fault !== 'deadline')
    .map(({ level, message, fault }) => [level, message, fault]);

/** Adds until it is refused: the engine's files have room left. The result names what was acknowledged. */
async function fill(editor: Client) {
  const acknowledged: string[] = [];
  for (;;) {
    const reply = await add(editor);
    if (reply.status !== 201) return { acknowledged, refused: reply };
    acknowledged.push(reply.body.node_id);
  }
}

const idsOf = async (editor: Client) =>
  (await listAll(editor, '/v1/nodes?fields=node_id', 'nodes')).map(({ node_id: id }) => String(id)).sort();

/** Every reply tells of the fault while it lasts; reads go on; one line is logged; afterwards all is well without a restart. */
async function expectFull(
  { server, editor }: { server: RunningServer; editor: Client },
  { says, fault, mend }: { says: [problem: string, remedy: string]; fault: string; mend: () => Promise<unknown> },
): Promise<void> {
  const before = await idsOf(editor);
  const { acknowledged, refused } = await fill(editor);
  expect(refused).toMatchObject(unavailable(...says));
  for (let times = 0; times < 2; times += 1) {
    expect(await ready(server)).toMatchObject(unavailable(...says));
    expect(await add(editor)).toMatchObject(unavailable(...says));
  }
  expect(await idsOf(editor)).toEqual([...before, ...acknowledged].sort());
  expect(faultsIn(server)).toEqual([['error', 'request', fault]]);
  await mend();
  await eventually(async () => (await ready(server)).status === 200);
  acknowledged.push(bodyOf(await add(editor), 201).node_id);
  expect(await idsOf(editor)).toEqual([...before, ...acknowledged].sort());
}

test('a read-only disk is reported by replies, readyz and one line, reads are answered, and it recovers without a restart', async () => {
  const { server, editor } = await startFilled();
  // Some of the file is left, as on a disk.
  const { size } = await stat(join(server.dataDir, 'inventory.sqlite-wal'));
  const limit = (bytes: string) => run('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`]);
  await limit(String(size + 100_000));
  await expectFull(
    { server, editor },
    { says: ['disk', 'file size limit'], fault: 'disk_error', mend: () => limit('unlimited') },
  );
});

// Mounts a disk of its own, which only root can, as CI is.
test('a full disk is reported the same way, and a start on it with one line', async () => {
  const dataDir = join(servers.home(), 'data');
  await mkdir(dataDir);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', dataDir]);
  try {
    const { server, editor } = await startFilled();
    const mend = () => run('mount', ['-o', 'remount,size=64m', dataDir]);
    await expectFull({ server, editor }, { says: ['disk .* full', 'Free space'], fault: 'disk_full', mend });
    await servers.stop(server);
    await writeFile(join(dataDir, 'other'), Buffer.alloc(64 * 1024 * 1024)).catch(() => undefined);
    expect((await failedStart()).stderr).toMatch(/no space is left.*Free space/);
  } finally {
    await run('umount', ['-l', dataDir]);
  }
});

/** Overwrites all pages behind the first few, which every start reads. */
async function damage(file: string): Promise<void> {
  const { size } = await stat(file);
  const handle = await open(file, 'r+');
  const start = 30 * 4096;
  await handle.write(Buffer.alloc(size - start, 0xa5), 0, size - start, start);
  await handle.close();
}

test('a database file that is damaged under a running server is reported by replies, readyz and one line, and refused by the next start', async () => {
  const { server: first, key } = await startFilled();
  // From here on all of it is in the file, and the engine has to read it.
  await servers.stop(first);
  const server = await servers.start({ environment });
  const editor = clientOf(server, bearer(key));
  await damage(join(server.dataDir, 'inventory.sqlite'));
  const says = unavailable('database file is damaged', 'backup.*docs/repairs.md');
  expect(await editor('GET', '/v1/nodes')).toMatchObject(says);
  for (let times = 0; times < 2; times += 1) expect(await ready(server)).toMatchObject(says);
  // The server reads pages when it needs them: each part of it that meets the damage names it.
  expect(faultsIn(server)).toContainEqual(['error', 'request', 'database_damaged']);
  expect(new Set(faultsIn(server).map(([, , fault]) => fault))).toEqual(new Set(['database_damaged']));
  await servers.stop(server);
  const { stderr } = await failedStart();
  expect(stderr).toMatch(/database file is damaged.*backup.*docs\/repairs.md.*inventory\.sqlite/);
});

test('a database file that is removed under a running server accepts no write, and the next start requires --new-inventory', async () => {
  const { server, editor } = await startFilled();
  const { dataDir } = server;
  const database = (await readdir(dataDir)).filter((name) => name.startsWith('inventory.sqlite'));
  for (const name of database) await rm(join(dataDir, name));
  const says = unavailable('removed or replaced', 'backup.*docs/repairs.md');
  expect(await ready(server)).toMatchObject(says);
  expect(await add(editor)).toMatchObject(says);
  expect(await editor('GET', '/v1/nodes')).toMatchObject(says);
  expect(faultsIn(server)).toEqual([
    ['error', 'request', 'database_gone'],
    ['error', 'authorizer failed', 'database_gone'],
  ]);
  await servers.stop(server);

  const { stderr } = await failedStart();
  for (const words of [dataDir, 'format', 'inventory.sqlite', 'docs/repairs.md', 'npm start -- --new-inventory'])
    expect(stderr).toContain(words);
  expect(existsSync(join(dataDir, 'inventory.sqlite'))).toBe(false);

  const anew = await servers.start({ environment, args: ['--new-inventory'] });
  const { keys } = await makeKeys(anew);
  expect(bodyOf(await clientOf(anew, bearer(keys.Viewer))('GET', '/v1/nodes'), 200).nodes).toEqual([]);
});

test('the start refuses a database file without an inventory', async () => {
  const { server } = await startFilled();
  await servers.stop(server);
  const file = join(server.dataDir, 'inventory.sqlite');
  await rm(file);
  const { DatabaseSync } = await import('node:sqlite');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE other (name TEXT)');
  other.close();
  expect((await failedStart()).stderr).toMatch(/without an inventory.*docs\/repairs.md.*--new-inventory/);
});
