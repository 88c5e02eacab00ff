import { eventually } from '../end-to-end/processes.ts';
import { expectAccessible, expectClean, menuLink, openSite, type Site, type Tab } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const dialog = ({ page }: Tab) => page.getByRole('dialog', { name: 'Leave this page?' });
async function answer(tab: Tab, name: 'Stay' | 'Leave'): Promise<void> {
  await dialog(tab).getByRole('button', { name, exact: true }).click();
  await dialog(tab).waitFor({ state: 'detached' });
}
const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const address = ({ page }: Tab) => page.getByLabel('Address', { exact: true });

test('labels that another user changed in the meantime stay, next to those that were changed here', async () => {
  const labels = { mine: '1', theirs: '1', both: '1', removed: '1' };
  const { node_id: id } = await site.addNode('labelled', { address: '10.1.0.1', custom_labels: labels });
  const tab = await site.at(`nodes/${id}/change`);
  const { page } = tab;
  const value = (label: string) =>
    page
      .getByRole('button', { name: `Remove the label ${label}` })
      .locator('xpath=ancestor::*[.//input][1]')
      .locator('input')
      .nth(1);
  await value('mine').fill('2');
  await value('both').fill('2');
  await site.write('PATCH', `/v1/nodes/${id}`, {
    custom_labels: { theirs: '3', both: '3', removed: null, added: '3' },
  });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('This node was changed by another user').waitFor();
  await page.getByText('You also changed these fields; your values are kept: Label both.').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The node labelled was changed.').waitFor();
  expect((await site.api('GET', `/v1/nodes/${id}`)).body.custom_labels).toEqual({
    mine: '2',
    theirs: '3',
    both: '2',
    added: '3',
  });
  expectClean(tab, [412]);
});

test('leaving a changed form asks: by a link, by Cancel, by the way back and by closing the tab', async () => {
  const { node_id: id } = await site.addNode('kept', { address: '10.1.0.2' });
  const tab = await site.at('nodes');
  const { page } = tab;
  await page.goto(`${site.server.base}/#/nodes/${id}`);
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await heading(tab, 'Change kept');
  const form = page.url();
  await address(tab).fill('10.1.0.3');

  await menuLink(tab, 'Services').click();
  await dialog(tab).waitFor();
  await expectAccessible(tab);
  await answer(tab, 'Stay');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await answer(tab, 'Stay');
  await page.goBack();
  await answer(tab, 'Stay');
  await page.waitForURL(form);
  expect(await address(tab).inputValue()).toBe('10.1.0.3');
  const asked = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
  await closing;
  expect(await address(tab).inputValue()).toBe('10.1.0.3');

  await menuLink(tab, 'Services').click();
  await answer(tab, 'Leave');
  await heading(tab, 'Services');
  // What is not changed, and what is saved, may be left.
  await page.goto(form);
  await heading(tab, 'Change kept');
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await heading(tab, 'Agents');
  await page.goto(form);
  await address(tab).fill('10.1.0.4');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The node kept was changed.').waitFor();
  await menuLink(tab, 'Services').click();
  await heading(tab, 'Services');
  expectClean(tab);
});

test('a form that does not reach the server says so, in view, and can be sent once the server answers', async () => {
  const { node_id: id } = await site.addNode('unsaved', { address: '10.1.0.5' });
  const tab = await site.at(`nodes/${id}/change`, { viewport: { width: 1280, height: 500 } });
  const { page, context } = tab;
  await address(tab).fill('10.1.0.6');
  await context.setOffline(true);
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  const title = page.getByText('The server did not answer');
  await title.waitFor();
  await page.getByText('The server cannot be reached', { exact: true }).waitFor();
  expect(await page.getByText('refused').count()).toBe(0);
  const isInView = () =>
    title.evaluate((element: any) => {
      const { x, y } = element.getBoundingClientRect();
      return element.contains(element.ownerDocument.elementFromPoint(Number(x) + 5, Number(y) + 5)) as boolean;
    });
  await eventually(isInView);
  await context.setOffline(false);
  await page.getByText('The server cannot be reached', { exact: true }).waitFor({ state: 'detached' });
  await save.click();
  await page.getByText('The node unsaved was changed.').waitFor();
});
