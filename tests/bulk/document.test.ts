/** The examples of docs/bulk.md, run as they stand there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { https, newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery staple';
const root = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
let server: RunningServer;
let key: string;

beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(folder, { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { body } = await https(server.base, 'POST', '/v1/api-keys', {
    headers: { Authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` },
    body: { name: 'reader', role: 'Admin' },
  });
  key = body.key;
}, 30_000);

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

async function bash(script: string): Promise<{ code: number; output: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env: { ...process.env, KEY: key } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

test('every example does what it says', async () => {
  const text = await readFile(new URL('../../docs/bulk.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code
      .replace('https://localhost:8443', server.base)
      .replaceAll('.data/', `${folder}/`)
      .replaceAll('inventory.ndjson', `${folder}/inventory.ndjson`)
      .replaceAll('curl -k', 'curl -sSk --fail-with-body -w "\\n"'),
  );
  expect(blocks).toHaveLength(8);
  const { code, output } = await bash(blocks.join('\n'));
  expect([code, output]).toEqual([0, expect.any(String)]);
  // The five operations, the two declared ones, the two atomic ones, and what was exported of them.
  expect(output.match(/"status":20[01]/g)).toHaveLength(9);
  expect(output.match(/"outcome":"added"/g)).toHaveLength(2);
  expect(output).toContain('"team":"shop"');
  expect(output).toContain('{"kind":"end","complete":true}');
  expect(output).toContain('"dry_run":true,"added":0,"changed":0,"unchanged":8,"refused":0');
  expect(output).toContain('Would be: 0 added, 0 changed, 8 unchanged, 0 refused.');
  expect(output).toMatch(/\n0 added, 0 changed, 8 unchanged, 0 refused\.\n/);
  expect(output).not.toContain('"error"');
}, 60_000);
