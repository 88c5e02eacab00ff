/** What a page whose commands do not run leads to. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptOf, type Step, stepsOf } from './steps.ts';
import { type Answers, typeScript } from './terminal.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ways-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function type(code: string, answers: Answers = []): Promise<string> {
  const step: Step = { name: 'one', document: 'docs/page.md', line: 40, language: 'sh', code };
  const file = join(folder, 'page.md');
  await writeFile(file, scriptOf(step));
  return typeScript(file, { cwd: folder, env: { PATH: process.env['PATH'] }, answers, limitMilliseconds: 60_000 });
}

test('a failing command is named with its document, line and output', async () => {
  const failed = type('echo before\nX=1\nls /absent\necho after\n');
  await expect(failed).rejects.toThrow(
    /^2\n.*before.*No such file.*docs\/page\.md:42: this command failed: ls \/absent\n$/s,
  );
  await expect(failed).rejects.not.toThrow('after');
});

test.each([
  ['in the middle of a pipe', 'true\nfalse | cat\n', 'docs/page.md:41'],
  ['in a substitution', 'true\ntrue\nX=$(false)\n', 'docs/page.md:42'],
  ['with an unknown variable', 'echo "$UNKNOWN"\n', 'page.md: line 40: UNKNOWN: unbound variable'],
  ['without its end', 'true\nif true; then\n', 'page.md: line 42: syntax error'],
])('a command %s fails too', async (_name, code, message) => {
  await expect(type(code)).rejects.toThrow(message);
});

test('a program asks in the terminal, and gets the answers in order', async () => {
  const code = 'read -rp "User: " user </dev/tty\nread -rsp "Password: " password </dev/tty\necho "$user/$password"\n';
  const answers: Answers = [
    [/User: /, 'admin'],
    [/Password: /, 'secret'],
  ];
  expect(await type(code, answers)).toContain('admin/secret\n');
  await expect(type('true\n', answers)).rejects.toThrow('It did not ask /User: /');
});

test('the documents have steps with the names of their comments', async () => {
  expect([...(await stepsOf('first-minute')).keys()]).toEqual(['add', 'configuration', 'prometheus']);
  expect((await stepsOf('no such way')).size).toBe(0);
});
