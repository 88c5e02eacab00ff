/** The examples in the README of each client are examples of its guide, all of which are executed. */
import { readFile } from 'node:fs/promises';

const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const blocksIn = (text: string) => [...text.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, code = '']) => code);

test.each(['typescript', 'terraform', 'ansible', 'python'])(
  '%s: the README has the first example of the guide',
  async (name) => {
    const [first] = blocksIn(await textOf(`docs/${name}.md`));
    expect(first).toBeDefined();
    expect(blocksIn(await textOf(`clients/${name}/README.md`))).toEqual([first]);
  },
);

test('the README of the command line has commands of the guide, after the installation', async () => {
  const [install, ...commands] = blocksIn(await textOf('clients/cli/README.md'))
    .join('')
    .trim()
    .split('\n');
  expect(install).toBe('npm install --global @monitoring-inventory/cli');
  const guide = blocksIn(await textOf('docs/cli.md'))
    .join('')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
  expect(commands.filter((command) => !guide.includes(command))).toEqual([]);
});
