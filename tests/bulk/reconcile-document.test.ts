/** The examples of docs/reconcile.md, run as they stand there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { https, newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery staple';

let folder: string;
let server: RunningServer;
let key: string;

beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(folder, { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { body } = await https(server.base, 'POST', '/v1/api-keys', {
    headers: { Authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` },
    body: { name: 'fleet', role: 'Editor' },
  });
  key = body.key;
}, 30_000);

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

async function bash(script: string): Promise<{ code: number; output: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: { ...process.env, KEY: key } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

test('every example does what it says', async () => {
  const text = await readFile(new URL('../../docs/reconcile.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code.replace('https://localhost:8443', server.base).replaceAll('curl -k', 'curl -sSk --fail-with-body -w "\\n"'),
  );
  expect(blocks).toHaveLength(5);
  const { code, output } = await bash(blocks.join('\n'));
  expect([code, output]).toEqual([0, expect.any(String)]);
  const replies = output
    .trim()
    .split('\n')
    .map((line): any => JSON.parse(line));
  const done = (total: number) => ({ state: 'done', progress: { total, done: total, failed: 0 } });
  expect(replies).toMatchObject([
    { state: 'planned', add: 4, in_scope: 0 },
    { ...done(4), add: 4 },
    { ...done(0), items: [], unchanged: 4 },
    { state: 'planned', add: 3, change: 1, remove: 3, progress: { total: 7 } },
    { ...done(7), plan_id: expect.any(String) },
    { ...done(7), failures: [] },
  ]);
  // What the document shows of the plan is in it.
  const shown = [...text.matchAll(/^\{ "action": [\s\S]*?\}$/gm)].map(([item]) => JSON.parse(item));
  expect(shown).toHaveLength(3);
  for (const { id: _, ...item } of shown) expect(replies[3].items).toContainEqual(expect.objectContaining(item));
}, 60_000);
