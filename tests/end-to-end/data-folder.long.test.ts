import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiKeyCounterKey } from '../../functions/store/table/keys.ts';
import { claimTableFormat } from '../../functions/store/table/format.ts';
import { LATEST_TIME_FILE } from '../../local/process/clock.ts';
import { SEAL_KEY_FILE } from '../../local/engine/seal-key.ts';
import { startEngine } from '../../local/engine/engine.ts';
import type { FailedStart } from '../support/server.ts';
import { itemAt } from '../support/table.ts';
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

test('after a start with another seal key, the keys of before do not count towards the limit', async () => {
  const environment = { ADMIN_PASSWORD: PASSWORD };
  const first = await start({ environment });
  const { keys } = await makeKeys(first);
  await stop(first);
  const ours = await readFile(inFolder(SEAL_KEY_FILE), 'utf8');
  const countedAfter = async (sealKey: string) => {
    await writeFile(inFolder(SEAL_KEY_FILE), sealKey);
    await stop(await start({ environment }));
    const engine = await startEngine({ dataDir: join(home(), 'data'), environment: {} });
    const counter = await itemAt(engine.open('monitoring-inventory'), apiKeyCounterKey);
    await engine.stop();
    return counter?.['api_keys'];
  };
  const other = `${Buffer.alloc(32, 1).toString('base64url')}\n`;
  expect([await countedAfter(other), await countedAfter(ours)]).toEqual([0, Object.keys(keys).length]);
});
