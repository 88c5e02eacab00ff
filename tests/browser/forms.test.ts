import { eventually } from '../end-to-end/processes.ts';
import { expectAccessible, expectClean, menuLink, useSite, type Tab } from './browser.ts';

const site = useSite();

const dialog = ({ page }: Tab) => page.getByRole('dialog', { name: 'Leave this page?' });
async function answer(tab: Tab, name: 'Stay' | 'Leave'): Promise<void> {
  await dialog(tab).getByRole('button', { name, exact: true }).click();
  await dialog(tab).waitFor({ state: 'detached' });
}
const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const address = ({ page }: Tab) => page.getByLabel('Address', { exact: true });

test('leaving a changed form by a link, Back or closing the tab asks first', async () => {
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
  expectClean(tab);
});

test("a form's failure is visible and accessible, wherever its button is", async () => {
  const { node_id: id } = await site.addNode('unsaved', { address: '10.1.0.5' });
  const tab = await site.at(`nodes/${id}/change`, { viewport: { width: 1280, height: 500 } });
  const { page, context } = tab;
  await address(tab).fill('10.1.0.6');
  await site.write('PATCH', `/v1/nodes/${id}`, { address: '10.1.0.7' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('This node was changed by another user').waitFor();
  await expectAccessible(tab);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save changes' }).click();
  const title = page.getByText('The server did not answer');
  await title.waitFor();
  const isInView = () =>
    title.evaluate((element: any) => {
      const { x, y } = element.getBoundingClientRect();
      return element.contains(element.ownerDocument.elementFromPoint(Number(x) + 5, Number(y) + 5)) as boolean;
    });
  await eventually(isInView);
});

/** Cards have rounded corners, buttons have round ones. */
const gapsScript = `(() => {
  const boxes = (elements) => elements.map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 0);
  const all = (selector) => [...document.querySelectorAll('main form ' + selector)];
  const isCard = (element) => element.clientWidth > 600 && parseFloat(getComputedStyle(element).borderTopLeftRadius) > 10;
  const gaps = (below, above) =>
    boxes(below).map(({ top }) => Math.min(...boxes(above).map(({ bottom }) => top - bottom).filter((gap) => gap > -2)));
  const cards = all('div').filter(isCard);
  return { fields: gaps(all('label'), all('input')), cards: gaps(cards, cards) };
})()`;

test('fields and cards of a form do not touch', async () => {
  const tab = await site.at('services/add');
  await heading(tab, 'Add service');
  const { fields, cards } = await tab.page.evaluate<{ fields: number[]; cards: number[] }>(gapsScript);
  const between = (gaps: number[]) => gaps.filter(Number.isFinite);
  expect(between(fields).length).toBeGreaterThan(5);
  expect(between(cards).length).toBeGreaterThan(1);
  expect(Math.min(...between(fields))).toBeGreaterThanOrEqual(16);
  expect(Math.min(...between(cards))).toBeGreaterThanOrEqual(16);
});
