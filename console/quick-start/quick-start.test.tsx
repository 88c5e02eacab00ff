import { accepted } from '../../tests/support/users.ts';
import { screen, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

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
