/** Each client's README has examples from its guide, which are all executed. */
import { readFile } from 'node:fs/promises';
import { blocksIn } from '../support/fenced-blocks.ts';

const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const codeIn = (text: string) => blocksIn(text).map(({ code }) => code);

test.each(['typescript', 'terraform', 'ansible', 'python'])(
  '%s: the README has the first example of the guide',
  async (name) => {
    const [first] = codeIn(await textOf(`docs/${name}.md`));
    expect(first).toBeDefined();
    expect(codeIn(await textOf(`clients/${name}/README.md`))).toEqual([first]);
  },
);

test("the command line's README has commands of the guide after the installation", async () => {
  const [install, ...commands] = codeIn(await textOf('clients/cli/README.md'))
    .join('')
    .trim()
    .split('\n');
  expect(install).toBe('npm install --global @monitoring-inventory/cli');
  const guide = codeIn(await textOf('docs/cli.md'))
    .join('')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
  expect(commands.filter((command) => !guide.includes(command))).toEqual([]);
});
