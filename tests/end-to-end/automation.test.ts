import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { makeKeys, PASSWORD } from './client.ts';

let server: RunningServer;
let key: string;
let text: string;

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  key = (await makeKeys(server)).keys.Editor;
  text = await readFile(new URL('../../docs/automation.md', import.meta.url), 'utf8');
}, 20_000);
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

/** The commands under a heading; those before the first heading are what every section begins with. */
function commandsOf(heading: string): string {
  const [start = '', ...sections] = text.split('\n## ');
  const section = sections.find((one) => one.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/automation.md has no section "${heading}"`);
  const blocks = [...`${start}\n${section}`.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .join('')
    .replace(/^B=.*$/m, `B=${server.base}`)
    .replace(/^KEY=.*$/m, `KEY=${key}`);
}

test.each(['Declare what there is', 'Repeat an add safely'])(
  'docs/automation.md, "%s": the commands answer what is written below them',
  async (heading) => {
    const commands = commandsOf(heading);
    const { stdout } = await promisify(execFile)('bash', ['-euc', commands]);
    const answers = stdout.trim().split('\n');
    const promised = commands.split('\n').flatMap((line) => (line.startsWith('# ') ? [line.slice(2)] : []));
    expect(promised.length).toBeGreaterThan(2);
    expect(answers).toHaveLength(promised.length);
    for (const [index, promise] of promised.entries())
      for (const part of promise.match(/"(?:[^"]+":)?(?:"[^"]*"|\d+|[^":]+")/g) ?? [])
        expect(answers[index]).toContain(part);
  },
  20_000,
);
