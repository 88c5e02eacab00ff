/** Hosts that enrol, rotate their keys and report by timers of systemd. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addEnrolmentToken, listApiKeys, listAudit, listNodes } from '../../clients/typescript/src/index.ts';
import { assertCode, startStory, type Story } from './story.ts';
import { runService } from './units.ts';

const HOSTS = ['db-1', 'db-2'];
const addressOf = (host: string) => `10.0.3.${HOSTS.indexOf(host) + 1}`;
const ROUNDS = 3;

let story: Story;
beforeAll(async () => (story = await startStory()));
afterAll(() => story.stop());

const rootOf = (host: string) => join(story.folder, host);
const keyOf = (host: string) => readFile(join(rootOf(host), 'etc/inventory/key'), 'utf8');

let tokens = 0;

/** Runs the program on a host whose root folder is a temporary one, with a token of its own. */
async function setUp(host: string) {
  tokens += 1;
  const { token } = await addEnrolmentToken(story.admin, {
    name: `${host}-${tokens}`,
    allowed_addresses: ['10.0.3.0/24'],
  });
  const file = join(story.folder, `${host}.token`);
  await writeFile(file, token, { mode: 0o600 });
  await mkdir(rootOf(host), { recursive: true });
  const args = [host, addressOf(host), file];
  const result = await story.run('host-setup.sh', { role: null, args, env: { ROOT: rootOf(host) } });
  assertCode(result);
  expect(result.out + result.err).not.toContain((await keyOf(host)).trim());
}

const states = async () => {
  const { nodes } = await listNodes(story.admin, { include: 'state' });
  return Object.fromEntries(nodes.map(({ node_name: name, state }) => [name, state]));
};

test('a host enrols once, and its units are valid', async () => {
  for (const host of HOSTS) await setUp(host);
  const [key, mode] = [await keyOf('db-1'), (await stat(join(rootOf('db-1'), 'etc/inventory/key'))).mode & 0o777];
  expect([key, mode]).toEqual([expect.stringMatching(/^minv_\S+\n$/), 0o600]);
  await setUp('db-1');
  expect(await keyOf('db-1')).toBe(key);
  expect(await states()).toEqual({ 'db-1': 'never_seen', 'db-2': 'never_seen' });

  const folder = join(rootOf('db-1'), 'etc/systemd/system');
  const units = await readdir(folder);
  expect(units.sort()).toEqual(
    ['report', 'rotate'].flatMap((name) => [`inventory-${name}.service`, `inventory-${name}.timer`]),
  );
  const paths = units.map((name) => join(folder, name));
  const verified = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', ...paths]);
  expect(verified).toEqual({ stdout: '', stderr: '' });
});

test('the timers report and rotate at the same time, and no report fails', async () => {
  const { PATH: path } = story.environment;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = await Promise.all(HOSTS.map(keyOf));
    const runs = HOSTS.flatMap((host) =>
      ['report', 'rotate'].map((name) => runService(rootOf(host), `inventory-${name}.service`, path)),
    );
    const printed = (await Promise.all(runs)).join('');
    for (const [index, host] of HOSTS.entries()) {
      const key = await keyOf(host);
      expect(key).not.toBe(before[index]);
      expect(printed).not.toContain(key.trim());
    }
    // The next report has the new key.
    for (const host of HOSTS) await runService(rootOf(host), 'inventory-report.service', path);
  }
  expect(await states()).toEqual({ 'db-1': 'live', 'db-2': 'live' });
  const { entries } = await listAudit(story.admin, { event: 'api_key.rotated', page_size: 1000 });
  expect(entries).toHaveLength(HOSTS.length * ROUNDS);
  const { api_keys: keys } = await listApiKeys(story.admin, { page_size: 1000 });
  expect(keys.filter(({ role }) => role === 'Registrar')).toHaveLength(HOSTS.length);
});
