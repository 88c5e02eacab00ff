/** docs/versioning.md: a correction of a release, made by the same command, and the way back keep a data folder. */
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { https } from '../support/https.ts';
import { startServer } from '../support/server.ts';
import { cloneTo, makeRelease, RELEASE_LIMIT_MS, releaseOfRun } from './artefacts.ts';

const PASSWORD = 'a long enough password';
const Authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

const { version, clone, file } = await releaseOfRun();
const correction = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'release-between-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const shell = (command: string, cwd = folder) =>
  run(['bash', '-euc', command], { cwd, env: process.env, limitMilliseconds: RELEASE_LIMIT_MS });

/** Unpacks a package of the server. @returns its command. */
async function unpack(packed: string, name: string): Promise<string> {
  await shell(`mkdir '${name}' && tar xzf '${packed}' -C '${name}'`);
  return join(folder, name, 'package/start.cjs');
}

/** Starts a server on the data folder, and adds a node. @returns its version, and the names of all nodes. */
async function addNode(program: string, name: string): Promise<{ build: string; names: string[] }> {
  const server = await startServer(join(folder, 'data'), {
    program: [process.execPath, program],
    environment: { ADMIN_PASSWORD: PASSWORD },
  });
  try {
    const body = { node_type: 'generic', node_name: name, address: `${name}.example.com` };
    expect((await https(server.base, 'POST', '/v1/nodes', { headers: { Authorization }, body })).status).toBe(201);
    const read = async (path: string) => (await https(server.base, 'GET', path, { headers: { Authorization } })).body;
    const { nodes } = await read('/v1/nodes');
    const names = nodes.map(({ node_name }: { node_name: string }) => node_name);
    return { build: (await read('/v1/version')).build.version, names };
  } finally {
    await server.stop();
  }
}

test(
  'a correction is made from the commit of the release, and both keep what the other has written',
  async () => {
    const place = join(folder, 'clone');
    await cloneTo(place, clone, `origin/release-${version}~1`);
    const changelog = await readFile(join(place, 'CHANGELOG.md'), 'utf8');
    await writeFile(
      join(place, 'CHANGELOG.md'),
      changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n- A fault is corrected.\n'),
    );
    await appendFile(join(place, 'README.md'), '\n');
    const author = '-c user.name=Test -c user.email=test@example.com';
    await shell(`git ${author} commit --quiet --all --message 'A correction'`, place);
    const out = join(folder, 'out');
    await makeRelease(place, correction, '--only', 'server', '--out', out);
    const packed = (await readdir(out)).find((name) => name.endsWith('.tgz'))!;
    const released = await unpack(await file(/^monitoring-inventory-server-.*\.tgz$/), 'released');
    const corrected = await unpack(join(out, packed), 'corrected');
    expect(await addNode(released, 'first')).toEqual({ build: version, names: ['first'] });
    expect(await addNode(corrected, 'second')).toEqual({ build: correction, names: ['first', 'second'] });
    expect(await addNode(released, 'third')).toEqual({ build: version, names: ['first', 'second', 'third'] });
  },
  RELEASE_LIMIT_MS,
);
