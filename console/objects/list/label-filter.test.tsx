import { addFleetTo } from '../../testing/fleet.tsx';
import { goTo, pass, screen, textOf, user } from '../../testing/page.tsx';
import { setPageSize } from '../../testing/page-size.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();
setPageSize(10, 'nodes', 'services', 'agents');

beforeAll(async () => {
  await addFleetTo(site);
});

const counter = () => /\(.*\)/.exec(textOf(screen.getByRole('heading', { level: 1 })))?.[0];
const press = (name: string) => user.click(screen.getByRole('button', { name }));

test('labels are tokens of the filter, with suggestions, and stand in the address as a selector', async () => {
  await site.at('nodes?selector=tier%20in%20(gold,bronze),!legacy');
  expect(textOf()).toContain('tier = gold, bronze');
  expect(textOf()).toContain('Has label != legacy');
  expect(counter()).toBe('(15)');
  await goTo('nodes');
  const input = () => screen.getByRole('combobox', { name: 'Filter nodes' });
  const typed = async (text: string) => {
    await user.type(input(), text);
    await pass(1000);
  };
  await typed('tier');
  await typed(' != ');
  await user.click(screen.getAllByRole('option').find((option) => textOf(option).includes('gold'))!);
  await press('Apply');
  expect(textOf()).toContain('tier != gold');
  expect(decodeURIComponent(location.href)).toContain('selector=tier!=gold');
  // A typed selector becomes tokens.
  await typed('Selector');
  await typed(' = ');
  await typed('region=us-east-1');
  await user.keyboard('{Enter}');
  expect(textOf()).toContain('region = us-east-1');
  expect(decodeURIComponent(location.href)).toContain('selector=tier!=gold,region=us-east-1');
  expect(counter()).toBe('(15)');
});

test('all values but one are a filter, which is a part of the selector', async () => {
  await site.at('nodes?selector=tier%3Dgold');
  expect(counter()).toBe('(15)');
  for (const part of ['Region', ' != ', 'us-east-1']) {
    await user.type(screen.getByRole('combobox', { name: 'Filter nodes' }), part);
    await pass(1000);
  }
  await user.keyboard('{Enter}');
  expect(textOf()).toContain('region != us-east-1');
  expect(decodeURIComponent(location.href)).toContain('selector=tier=gold,region!=us-east-1');
  expect(counter()).toBe('(10)');
});
