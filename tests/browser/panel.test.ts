import { eventually } from '../end-to-end/processes.ts';
import { expectAccessible, expectClean, useSite, type Tab, untilFocused } from './browser.ts';

const site = useSite();

beforeAll(async () => {
  const { node_id: node } = await site.addNode('host-1', { custom_labels: { team: 'payments' } });
  await site.addNode('host-2', { address: '10.0.0.2' });
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node });
});

const wide = { viewport: { width: 1600, height: 900 } };
const panel = ({ page }: Tab, name: string | RegExp) => page.getByRole('region', { name });
/** The button of the toolbar; a panel at the bottom has another one. */
const opener = ({ page }: Tab) => page.getByRole('toolbar').getByRole('button', { name: 'Open the details' });
const checkbox = ({ page }: Tab, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });

test('the selected object is shown beside the list by keyboard alone, and the panel survives a reload', async () => {
  const tab = await site.at('nodes', wide);
  const { page } = tab;
  await opener(tab).focus();
  await page.keyboard.press('Enter');
  await panel(tab, 'No node is selected').waitFor();
  await checkbox(tab, 'host-1').focus();
  await page.keyboard.press('Space');
  const details = panel(tab, 'host-1');
  await details.getByText('No report yet').waitFor();
  await details.getByText('payments').waitFor();
  await expectAccessible(tab);
  await checkbox(tab, 'host-2').press('Space');
  await panel(tab, '2 nodes are selected').waitFor();
  await checkbox(tab, 'host-1').press('Space');
  await panel(tab, 'host-2').getByText('10.0.0.2').waitFor();
  await page.getByRole('button', { name: 'Close the details' }).press('Enter');
  await panel(tab, 'host-2').waitFor({ state: 'detached' });
  await untilFocused(tab, '[aria-label="Open the details"]');
  await page.keyboard.press('Enter');
  await panel(tab, 'host-2').waitFor();

  await page.reload();
  await panel(tab, 'No node is selected').waitFor();
  await checkbox(tab, 'host-1').press('Space');
  await panel(tab, 'host-1').getByRole('link', { name: 'Open the page of the node' }).press('Enter');
  await page.getByRole('heading', { name: 'host-1', level: 1 }).waitFor();
  await panel(tab, 'host-1').waitFor({ state: 'detached' });
  expectClean(tab);
});

test("the panel's position is chosen and remembered, and a narrow window has no panel", async () => {
  const tab = await site.at('nodes', wide);
  const { page } = tab;
  await opener(tab).click();
  await panel(tab, 'No node is selected').getByRole('button', { name: 'Split panel preferences' }).click();
  await page.getByRole('radio', { name: 'Bottom' }).check();
  await page.getByRole('button', { name: 'Confirm' }).click();
  const isBelow = async () => ((await panel(tab, 'No node is selected').boundingBox())?.width ?? 0) > 900;
  await eventually(isBelow);
  await expectAccessible(tab);
  await page.reload();
  await panel(tab, 'No node is selected').waitFor();
  await eventually(isBelow);
  await page.setViewportSize({ width: 640, height: 800 });
  await panel(tab, 'No node is selected').waitFor({ state: 'detached' });
  await opener(tab).waitFor({ state: 'detached' });
  expectClean(tab);
});
