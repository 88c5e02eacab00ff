import { readFileSync } from 'node:fs';
import { accepted } from '../../tests/support/users.ts';
import { screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';
import { INSTALL_COMMAND_LINE } from './host-command.ts';

const site = openSite();

const folded = () =>
  [...document.querySelectorAll<HTMLElement>('main [aria-expanded=false]')].map((button) => textOf(button));

test.each(['overview', 'quick-start'])(
  'an empty inventory has on the page %s one command first, and the steps folded below it',
  async (page) => {
    await site.at(page);
    const main = textOf(document.querySelector('main')!);
    expect(main.indexOf('First host')).toBeGreaterThan(-1);
    expect(main.indexOf('Step by step, with curl')).toBeGreaterThan(main.indexOf('Create the command'));
    expect(folded()).toContainEqual(expect.stringMatching(/^Step by step, with curl/));
  },
);

test('the command of the first host comes with a line that installs the command line, as its page has it', async () => {
  await site.at('quick-start');
  await user.type(screen.getByLabelText('Name of the host'), 'web-1');
  await user.type(screen.getByLabelText('Address'), '10.0.0.9');
  await user.click(screen.getByRole('button', { name: 'Create the command' }));
  expect(textOf()).toContain(INSTALL_COMMAND_LINE);
  expect(readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')).toContain(INSTALL_COMMAND_LINE);
});

/** Whether each step is done, as its mark names it. */
const marks = () =>
  [...screen.getByRole('list', { name: 'First steps' }).querySelectorAll<HTMLElement>(':scope > li')].map((step) =>
    within(step).getAllByRole('img')[0]!.getAttribute('aria-label'),
  );

test('to a user with the role Viewer, who may not list keys, the first step is neither done nor open', async () => {
  await site.addNode('db-1');
  const others = ['Done', ...Array.from({ length: 4 }, () => 'To do')];
  await site.at('quick-start', { key: (await accepted(site.inventory, 'Viewer')).key });
  expect(marks()).toEqual(['Unknown: your role cannot read it', ...others]);
  await site.at('quick-start');
  expect(marks()).toEqual(['Done', ...others]);
});

test('the command of a step that is done is folded', async () => {
  await site.at('quick-start');
  expect(folded().filter((text) => text === 'Command')).toHaveLength(marks().filter((mark) => mark === 'Done').length);
  expect(marks()).toContain('Done');
});
