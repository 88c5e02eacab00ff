/** The pages about keys, hosts and people, run as they stand: a guide that is wrong is worse than none. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bodyOf, clientOf, PASSWORD } from './client.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

let dataDir: string;
let server: RunningServer;
beforeAll(async () => {
  dataDir = await newDataDir();
  server = await startServer(dataDir, { environment: { ADMIN_PASSWORD: PASSWORD } });
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(dataDir);
});

test('every command of the guide does what the guide says', async () => {
  const pages = ['keys', 'hosts', 'people'].map((name) =>
    readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
  );
  const blocks = (await Promise.all(pages)).flatMap((page) => fencedBlocks(page, 'sh'));
  expect(blocks.length).toBeGreaterThan(6);
  const show = 'printf "\\nKEY=%s\\nNEW=%s\\nHOST_KEY=%s\\nNODE_ID=%s\\n" "$KEY" "$NEW" "$HOST_KEY" "$NODE_ID"\n';
  // --fail-with-body: an answer that is no success ends the script.
  const script = `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${blocks.join('\n')}\n${show}`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    env: { ...process.env, B: server.base, ADMIN_PASSWORD: PASSWORD },
  });
  expect(stdout.match(/(^|\})200$/gm)).toHaveLength(2);
  const shown = Object.fromEntries(
    stdout.split('\n').flatMap((line) => (/^[A-Z_]+=/.test(line) ? [line.split('=', 2)] : [])),
  );
  const admin = clientOf(server, basic('admin', PASSWORD));
  expect(bodyOf(await clientOf(server, `Bearer ${shown.HOST_KEY}`)('GET', '/v1/caller'), 200)).toMatchObject({
    role: 'Registrar',
    node_id: shown.NODE_ID,
  });
  expect(bodyOf(await admin('GET', `/v1/services?node_id=${shown.NODE_ID}`), 200).services).toHaveLength(1);
  for (const key of [shown.KEY, shown.NEW])
    expect(bodyOf(await clientOf(server, `Bearer ${key}`)('GET', '/v1/caller'), 200)).toMatchObject({
      name: 'reconciler',
      rate_limit_per_minute: 1200,
    });
});
