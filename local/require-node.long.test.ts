import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

function runOn(version: string, name: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, file(name)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(['12.22.12', '20.20.2', '23.11.0', '24.14.9'])(
  'Node %s is refused with one line that says what to do',
  (version) => {
    for (const name of ['require-node.mjs', 'start.mjs']) {
      const { status, stdout, stderr } = runOn(version, name);
      expect(status).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^[^\n]+\n$/);
      for (const words of ['Node 24', `Node ${version}`, 'npm ci', 'npm start', 'npm test', '.nvmrc']) {
        expect(stderr).toContain(words);
      }
    }
  },
);

test.each(['24.15.0', '24.21.0', '26.0.0', '100.1.0'])('Node %s is accepted without a word', (version) => {
  expect(runOn(version, 'require-node.mjs')).toEqual({ status: 0, stdout: '', stderr: '' });
});

test.each(['require-node.mjs', 'start.mjs'])(
  'an old Node can parse %s: it needs no syntax after Node 12',
  async (name) => {
    const source = await readFile(file(name), 'utf8');
    const [old, now] = await Promise.all([
      transform(source, { target: 'node12.20' }),
      transform(source, { target: 'esnext' }),
    ]);
    expect(old.code).toBe(now.code); // esbuild had nothing to translate
  },
);

test('start.mjs imports statically only what an old Node can parse', async () => {
  const source = await readFile(file('start.mjs'), 'utf8');
  expect(source.match(/^import .*$/gm)).toEqual(["import './require-node.mjs';"]);
});
