import type { CommandSpec } from './command/command.ts';
import { exits } from './core/exit-codes.ts';
import { globalOptions } from './command/global-options.ts';
import { manPages } from './man-pages.ts';

const spec = (name: string, more: Partial<CommandSpec> = {}, options: readonly object[] = []): CommandSpec => ({
  ...{ name, summary: `Does ${name}.`, load: () => Promise.resolve({ options, run: () => undefined } as never) },
  ...more,
});

const pagesOf = (...commands: CommandSpec[]) => manPages(commands, { version: '1.2.3', date: '2026-11-01' });

const headings = (page: string | undefined) => [...(page ?? '').matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);

test('there is a page for the program and for each command that is not hidden', async () => {
  const pages = await pagesOf(spec('get'), spec('key add'), spec('complete', { isHidden: true }));
  expect([...pages.keys()].toSorted()).toEqual(['inventory-get.1', 'inventory-key-add.1', 'inventory.1']);
  expect(pages.get('inventory-key-add.1')).toMatch(/^\.TH INVENTORY\\-KEY\\-ADD 1 2026-11-01 "inventory 1\.2\.3" ""\n/);
  const program = pages.get('inventory.1') ?? '';
  expect(headings(program)).toEqual(['NAME', 'SYNOPSIS', 'COMMANDS', 'OPTIONS', 'EXIT STATUS']);
  expect(program).toContain('.B key add\nDoes key add.\n');
  expect(program).not.toContain('complete');
  for (const { code } of Object.values(exits)) expect(program).toContain(`.TP\n.B ${code}\n`);
  expect(program.match(/^\.TP$/gm)).toHaveLength(2 + globalOptions.length + Object.keys(exits).length);
});

test('the page of a command has options and examples only if it has some', async () => {
  const option = { flags: '-o, --one <word>', description: 'what', words: ['a', 'b'] };
  const pages = await pagesOf(
    spec('plain'),
    spec('full', { args: '<kind>', examples: ['inventory full x', 'inventory full y'] }, [option]),
  );
  expect(headings(pages.get('inventory-plain.1'))).toEqual(['NAME', 'SYNOPSIS', 'SEE ALSO']);
  expect(pages.get('inventory-plain.1')).toContain('.B inventory plain\n[options]\n');
  const full = pages.get('inventory-full.1') ?? '';
  expect(headings(full)).toEqual(['NAME', 'SYNOPSIS', 'OPTIONS', 'EXAMPLES', 'SEE ALSO']);
  expect(full).toContain('.B inventory full\n<kind> [options]\n');
  expect(full).toContain('.TP\n.B \\-o, \\-\\-one <word>\nwhat: a, b\n');
  expect(full).toContain('.nf\ninventory full x\ninventory full y\n.fi\n');
});

test('no text is a roff request, and lines have at most 78 characters', async () => {
  const summary = `'quoted at the start \\ ${'word '.repeat(40)}.dot`;
  const pages = await pagesOf(spec('odd', { summary, examples: ['.x -y \\z'] }));
  const page = pages.get('inventory-odd.1') ?? '';
  expect(page).toContain("\\&'quoted at the start \\e");
  expect(page).toContain('\n\\&.x \\-y \\ez\n');
  const lines = page.split('\n').filter((line) => !/^\.(TH|SH|TP|B|BR|nf|fi)\b/.test(line));
  for (const line of lines) expect(line).not.toMatch(/^[.']/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});
