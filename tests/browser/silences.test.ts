import { expectAccessible, expectClean, expectNoSidewaysScroll, expectNoViolations, useSite } from './browser.ts';

const site = useSite();

const silences = async () => (await site.api('GET', '/v1/silences')).body.silences;

test('the keyboard alone silences a node, which its page, the overview and the list show, and the list ends it', async () => {
  const { node_id: id } = await site.addNode('host-of-silence');
  const tab = await site.at(`nodes/${id}`);
  const { page } = tab;
  await page.getByRole('button', { name: 'Silence', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Silence' });
  await dialog.getByLabel('Reason').waitFor();
  await expectNoViolations(tab);
  await dialog.getByRole('button', { name: 'Silence', exact: true }).press('Enter');
  await dialog.locator('[id$="-error"]').first().waitFor();
  await dialog.getByLabel('Reason').fill('Upgrade of the operating system');
  await dialog.getByRole('button', { name: 'At a date and time' }).press('Enter');
  await dialog.getByRole('button', { name: 'Ends: calendar' }).waitFor();
  await expectNoViolations(tab);
  await dialog.getByRole('button', { name: 'After some time' }).press('Enter');
  await dialog.getByRole('button', { name: '1 day' }).press('Enter');
  await dialog.getByLabel('Reason').press('Enter');
  await page.getByText(/^Silenced until .+ by admin: Upgrade of the operating system$/).waitFor();
  const [{ selector, until }] = await silences();
  const hours = (Date.parse(until) - Date.now()) / 3_600_000;
  expect([selector, Math.round(hours)]).toEqual([`node_id=${id}`, 24]);
  await expectAccessible(tab);

  await page.getByRole('link', { name: 'Monitoring inventory' }).click();
  await page.getByRole('link', { name: '1 silenced object', exact: true }).click();
  await page.getByRole('heading', { name: 'Silences (1)', level: 1 }).waitFor();
  await expectAccessible(tab);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(tab);
  await page.getByRole('button', { name: `End the silence of node_id=${id}` }).click();
  await page.getByText('No silences').waitFor();
  expect(await silences()).toEqual([]);
  expectClean(tab);
});
