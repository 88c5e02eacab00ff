import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { makeKeys, PASSWORD } from './client.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

let server: RunningServer;
let key: string;
let text: string;

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  key = (await makeKeys(server)).keys.Editor;
  text = await readFile(new URL('../../docs/automation.md', import.meta.url), 'utf8');
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

test('docs/automation.md: the commands print the documented lines', async () => {
  const bin = join(server.dataDir, 'bin');
  await mkdir(bin);
  await buildCommandLine(join(bin, 'inventory'));
  const commands = fencedBlocks(text, 'sh').join('');
  const env = {
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: server.dataDir,
    INVENTORY_URL: server.base,
    INVENTORY_KEY: key,
    INVENTORY_CA: join(server.dataDir, 'tls-cert.pem'),
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euc', commands], { env });
  const expected = commands.split('\n').flatMap((line) => (line.startsWith('# ') ? [line.slice(2)] : []));
  expect(expected.length).toBeGreaterThan(4);
  const printed = stdout.trimEnd().replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
  expect(printed.split('\n')).toEqual(expected);
});
