import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimTableFormat } from '../../functions/store/table/format.ts';
import { LATEST_TIME_FILE } from '../../local/process/clock.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { inFull, testSeed } from '../../shared/testing/extent.ts';
import { Random } from '../consistency/random.ts';
import { type RecordedFolder, recordedVersions, unpackDataFolder } from '../support/data-folder.ts';
import { type FailedStart, type RunningServer, serverEnvironment, START } from '../support/server.ts';
import { bearer, bodyOf, clientOf, makeKeys, PASSWORD } from './client.ts';
import { startedServers } from './started-servers.ts';

const { home, start, stop } = startedServers();

const inFolder = (name: string) => join(home(), 'data', name);

async function failedStart(): Promise<FailedStart> {
  return start().then(
    () => Promise.reject(new Error('the server started')),
    (error: unknown) => error as FailedStart,
  );
}

test('a server refuses a data folder and a table that a newer version wrote, each with one sentence', async () => {
  await stop(await start());
  const engine = await startEngine({ dataDir: join(home(), 'data'), environment: {} });
  await claimTableFormat(engine.open('monitoring-inventory'), 99);
  await engine.stop();
  const table = await failedStart();
  expect([table.exitCode, table.stdout, table.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^The table has format 99, and this version reads formats up to \d+\. Use [^\n]+\n$/),
  ]);
  await writeFile(inFolder('format'), '98\n');
  const folder = await failedStart();
  expect([folder.exitCode, folder.stdout, folder.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^The data folder .+ has format 98, and this version reads formats up to \d+\.[^\n]+\n$/),
  ]);
});

test('a clock that was set back while the server was stopped is logged, and an ended key stays ended', async () => {
  const first = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
  const { key } = bodyOf(
    await clientOf(first, bearer((await makeKeys(first)).keys.Admin))('POST', '/v1/api-keys', {
      body: { name: 'brief', role: 'Viewer', time_to_live: '1h' },
    }),
    201,
  );
  expect((await clientOf(first, bearer(key))('GET', '/v1/version')).status).toBe(200);
  await stop(first);
  const recorded = Date.parse((await readFile(inFolder(LATEST_TIME_FILE), 'utf8')).trim());
  expect(Math.abs(Date.now() - recorded)).toBeLessThan(60_000);
  // As after a step back: the latest time is later than that of the machine.
  await writeFile(inFolder(LATEST_TIME_FILE), new Date(recorded + 86_400_000).toISOString());
  const second = await start();
  expect(second.errors().join('\n')).toContain('the clock of this machine went back');
  expect((await clientOf(second, bearer(key))('GET', '/v1/version')).status).toBe(401);
});

describe.each(recordedVersions)('the data folder of %s', (version) => {
  const statusFor = async (server: RunningServer, key: string) =>
    (await clientOf(server, bearer(key))('GET', '/v1/nodes')).status;

  /** What is valid after the conversion, and the inventory, as recorded before. */
  async function expectConverted(server: RunningServer, { keys, exported }: RecordedFolder): Promise<void> {
    const statuses = await Promise.all(
      Object.entries(keys).map(async ([name, key]) => [name, await statusFor(server, key)]),
    );
    expect(Object.fromEntries(statuses)).toEqual({ admin: 200, viewer: 200, removed: 401, raised: 401, copied: 401 });
    expect((await clientOf(server, bearer(keys.admin))('GET', '/v1/export')).text).toBe(exported);
  }

  test('is converted once at the first start: the export is equal, and forged keys stay refused', async () => {
    const recorded = await unpackDataFolder(version, join(home(), 'data'));
    const first = await start();
    expect(first.stderr()).toMatch(
      /^The database .+ was converted\. The old one is .+\. The sessions of the earlier version \(1\) have ended: log in again\. 3 items [^\n]+ left out\.\n$/,
    );
    await expectConverted(first, recorded);
    expect(await readFile(inFolder('format'), 'utf8')).toBe('2\n');
    expect(await stop(first)).toBe(0);
    const second = await start();
    expect(second.stderr()).toBe('');
    await expectConverted(second, recorded);
  });

  test(`is converted by the next start when kill -9 ends the first at any moment (TEST_SEED=${testSeed})`, async () => {
    const random = new Random(testSeed);
    for (let round = 0; round < inFull(12, 2); round += 1) {
      const dataDir = join(home(), `data ${round}`);
      const recorded = await unpackDataFolder(version, dataDir);
      const environment = serverEnvironment(dataDir);
      const child = spawn(process.execPath, [START], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
      // The conversion begins with a new file.
      for await (const { filename } of watch(dataDir)) if (filename === 'inventory.sqlite.new') break;
      await delay(random.below(40));
      child.kill('SIGKILL');
      await once(child, 'close');
      const server = await start({ dataDir });
      await expectConverted(server, recorded);
      await stop(server);
    }
  });
});
