import { eventually } from '../end-to-end/processes.ts';
import { expectAccessible, useSite, type Tab } from './browser.ts';

const site = useSite();

beforeAll(async () => {
  await site.addNode('host-1');
});

const row = ({ page }: Tab, name: string) => page.getByRole('grid', { name: 'Nodes' }).getByRole('row', { name });

test('a list refreshes at the interval that the keyboard chooses, and after the browser was offline', async () => {
  const tab = await site.at('nodes');
  const { page, context } = tab;
  await row(tab, 'host-1').waitFor();
  await page.getByRole('button', { name: 'Auto-refresh' }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Every 10 seconds' }).waitFor();
  await expectAccessible(tab);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitemcheckbox', { name: 'Every 10 seconds' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await eventually(async () => (await page.evaluate(`localStorage.getItem('auto-refresh')`)) === '10s');
  await page.reload();
  await row(tab, 'host-1').waitFor();
  await site.addNode('host-2', { address: '10.0.0.2' });
  await row(tab, 'host-2').waitFor();
  expect(tab.problems).toEqual([]);

  await context.setOffline(true);
  const bar = page.getByText('The server cannot be reached', { exact: true });
  await bar.waitFor();
  expect(await row(tab, 'host-1').count()).toBe(1);
  await expectAccessible(tab);
  await site.addNode('host-3', { address: '10.0.0.3' });
  await context.setOffline(false);
  await bar.waitFor({ state: 'detached' });
  await row(tab, 'host-3').waitFor();
});
