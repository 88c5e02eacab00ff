import type { Page } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, logIn, useSite, untilFocused } from './browser.ts';

const site = useSite();

const node = (name: string, fields: object = {}) => ({
  node_type: 'generic',
  node_name: name,
  address: '10.0.7.1',
  ...fields,
});

const desired = (...nodes: object[]) => JSON.stringify({ nodes });

/** As many nodes as given, whose names begin with the prefix. */
async function addNodes(...names: string[]): Promise<string[]> {
  const added = [];
  for (const name of names) added.push(await site.write('POST', '/v1/nodes', node(name)));
  return added.map(({ node_id: id }) => id);
}

const namesOf = async (prefix: string): Promise<string[]> =>
  (await site.api('GET', `/v1/nodes?name_prefix=${prefix}`)).body.nodes.map((node: any) => node.node_name).sort();

interface PlanInput {
  prefix?: string;
  most?: string;
  text?: string;
}

async function plan(page: Page, { prefix, most, text }: PlanInput): Promise<void> {
  if (prefix !== undefined) await page.getByLabel('Name prefix').fill(prefix);
  if (most !== undefined) await page.getByLabel('Maximum removals').fill(most);
  if (text !== undefined) await page.getByLabel('Desired objects, as JSON').fill(text);
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
}

const result = (page: Page) => page.getByRole('group', { name: 'Plan', exact: true });
const rows = (page: Page) => page.getByRole('table', { name: 'Items' }).locator('tbody tr');
const row = (page: Page, name: RegExp) => rows(page).filter({ hasText: name });

const counts = async (page: Page) =>
  Object.fromEntries(
    await Promise.all(
      (await page.locator('main .counts > div').all()).map(async (countRow): Promise<[string, number]> => {
        const [label = '', count = ''] = await countRow.locator('dt, dd').allTextContents();
        return [label, Number(count)];
      }),
    ),
  );

const apply = (page: Page) => page.getByRole('button', { name: 'Apply this plan' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Apply this plan' });

test('a plan is shown by field in colour, and applied after a confirmation that names the removals', async () => {
  const [changedId, goneId] = await addNodes('shop-1', 'shop-2', 'shop-3');
  const tab = await site.at('reconcile');
  const { page } = tab;
  await page.getByText('No changes are made until you apply it').waitFor();
  await expectAccessible(tab);
  await plan(page, { prefix: 'shop-', text: desired(node('elsewhere-1')) });
  await page.getByText('desired.nodes.0: Outside the scope').first().waitFor();
  await untilFocused(tab, 'textarea');
  await expectAccessible(tab);

  const next = node('shop-1', { distro: 'debian', custom_labels: { team: 'shop' } });
  await plan(page, { text: desired(next, node('shop-3'), node('shop-4', { region: 'eu' })) });
  await page.getByText('This plan will not be applied').waitFor();
  await expectAccessible(tab);
  await plan(page, { most: '40' });
  await apply(page).waitFor();
  await result(page).waitFor();
  expect(await counts(page)).toEqual({
    Add: 1,
    Change: 1,
    Remove: 1,
    Unchanged: 1,
    Blocked: 0,
    'In scope': 3,
  });
  await untilFocused(tab, '[aria-label="Plan"]');
  const changed = row(page, /shop-1/);
  expect(await changed.locator('ins.came').allTextContents()).toEqual(expect.arrayContaining(['+debian', '+shop']));
  await changed.getByText('Label team').waitFor();
  expect(await changed.getByRole('link', { name: 'shop-1' }).getAttribute('href')).toBe(`#/nodes/${changedId}`);
  await row(page, /shop-4/)
    .getByRole('button', { name: /fields of node shop-4/ })
    .click();
  await row(page, /shop-4/)
    .locator('ins.came')
    .filter({ hasText: 'eu' })
    .waitFor();
  expect(
    await row(page, /shop-4/)
      .locator('ins.came')
      .allTextContents(),
  ).toEqual(expect.arrayContaining(['+10.0.7.1', '+eu']));
  expect(
    await row(page, /shop-2/)
      .locator('.went')
      .textContent(),
  ).toBe('−Remove');
  await expectAccessible(tab);

  await page.getByRole('button', { name: 'Remove (1)' }).click();
  await rows(page).nth(1).waitFor({ state: 'detached' });
  expect(await rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'All (3)' }).click();

  await apply(page).click();
  await dialog(page).getByText('1 object will be removed').waitFor();
  await dialog(page).getByText('shop-2').waitFor();
  const confirm = dialog(page).getByRole('button', { name: 'Apply and remove 1 object' });
  expect(await confirm.isDisabled()).toBe(true);
  await expectAccessible(tab);
  await dialog(page).getByLabel('Remove 1 object').check();
  expect(await namesOf('shop-')).toEqual(['shop-1', 'shop-2', 'shop-3']);
  await confirm.click();
  await page.getByText('3 objects added, changed or removed.').waitFor();
  expect(await namesOf('shop-')).toEqual(['shop-1', 'shop-3', 'shop-4']);
  await row(page, /Done/).nth(2).waitFor();
  expect(await row(page, /Done/).count()).toBe(3);
  // What was added has a page now, what was removed has none.
  await row(page, /shop-4/)
    .getByRole('link')
    .waitFor();
  expect(await page.locator(`main a[href*="${goneId}"]`).count()).toBe(0);
  expect(await apply(page).count()).toBe(0);
  await expectAccessible(tab);

  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByText('No changes are required: all objects match.').waitFor();
  expect(await apply(page).count()).toBe(0);
  expectClean(tab);
});

const progress = (state: string, done: number, failed = 0) => ({ state, progress: { total: 4, done, failed } });

test('a long reconciliation is followed under its address, also after a reload', async () => {
  const tab = await site.open('/#/reconcile');
  await logIn(tab);
  const { page } = tab;
  await plan(page, { prefix: 'job-', text: desired(node('job-1')) });
  await result(page).waitFor();
  const counted = { in_scope: 0, add: 4, change: 0, remove: 0, unchanged: 0, blocked: 0, items: [] };
  let looks = 0;
  let planId = '';
  await page.route('**/v1/reconcile', (route) => {
    const body = route.request().postDataJSON() as { mode: string; plan_id: string };
    planId = body.plan_id;
    const reply = { ...progress('applying', 0), ...counted };
    return route.fulfill({ status: 202, json: { plan_id: planId, ...reply } });
  });
  const item = { action: 'remove', kind: 'node', node_name: 'job-9' };
  const kept = { created_at: '2026-03-03T09:30:00.000Z', expires_at: '2026-03-04T09:30:00.000Z', failures: [] };
  const replies = [
    progress('applying', 1),
    { ...progress('done', 3, 1), failures: [{ item, message: 'Somebody else needs it.' }] },
  ];
  // The first state is there as long as the test looks at it.
  const seen = Promise.withResolvers<undefined>();
  await page.route('**/v1/reconcile/*', async (route) => {
    const reply = replies[Math.min(looks, replies.length - 1)];
    looks += 1;
    if (looks > 1) await seen.promise;
    await route.fulfill({ json: { plan_id: planId, ...kept, ...reply } });
  });
  await apply(page).click();
  await dialog(page).getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('1 of 4 objects done').waitFor();
  expect(new URL(page.url()).hash).toBe(`#/reconcile?plan_id=${planId}`);
  await expectAccessible(tab);
  seen.resolve(undefined);
  await page.getByText('3 of 4 objects done, 1 failed').waitFor();
  await page.getByText('Done, with failures').waitFor();
  await page.getByText('Somebody else needs it.').waitFor();
  await expectAccessible(tab);

  await page.unrouteAll();
  await page.reload();
  await page.getByText('Planned, not applied').waitFor();
  await page.getByRole('link', { name: 'Make another plan' }).click();
  await page.getByLabel('Name prefix').waitFor();
  expectClean(tab);
});

test('at 390 px and in the dark a plan works the same', async () => {
  const name = `narrow-${'a-very-long-name-'.repeat(12)}end`;
  await addNodes(name);
  const tab = await site.at('reconcile', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const { page } = tab;
  await plan(page, { prefix: 'narrow-', most: '100', text: desired(node('narrow-1', { distro: name.slice(0, 60) })) });
  await result(page).waitFor();
  await rows(page)
    .getByRole('button', { name: /fields of/ })
    .click();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  await apply(page).click();
  await dialog(page).getByText('1 object will be removed').waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
