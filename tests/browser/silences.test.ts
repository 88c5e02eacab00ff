import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';

let site: Site;

beforeAll(async () => (site = await openSite()));
afterAll(() => site.close());
afterEach(async () => {
  for (const { silence_id: id } of await silences()) await site.api('DELETE', `/v1/silences/${id}`);
});

const silences = async () => (await site.api('GET', '/v1/silences')).body.silences;

async function fillIn({ page }: Tab, reason: string) {
  const dialog = page.getByRole('dialog', { name: 'Silence' });
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
}

test('the keyboard alone silences a node; its page, the overview and the list show it, and the list ends it', async () => {
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

test('the page of a cluster silences it and ends that', async () => {
  const service = { service_type: 'mysql', service_name: 'orders-1', cluster: 'orders, old' };
  await site.write('POST', '/v1/services', { ...service, address: '10.0.0.1', port: 3306 });
  const tab = await site.at(`clusters/${encodeURIComponent('orders, old')}`);
  const { page } = tab;
  await page.getByRole('button', { name: 'Silence', exact: true }).click();
  await fillIn(tab, 'Move');
  await page.getByText(/by admin: Move$/).waitFor();
  expect(await silences()).toMatchObject([{ selector: 'cluster="orders, old"', reason: 'Move' }]);
  await page.getByRole('button', { name: 'End silence' }).click();
  await page.getByText(/by admin: Move$/).waitFor({ state: 'detached' });
  expect(await silences()).toEqual([]);
  expectClean(tab);
});

test('the selected objects of a list are silenced by their ids', async () => {
  const names = ['bulk-1', 'bulk-2'];
  const ids: string[] = [];
  for (const [index, name] of names.entries())
    ids.push((await site.addNode(name, { address: `10.1.0.${index + 1}` })).node_id);
  const tab = await site.at('nodes?name_prefix=bulk-');
  const { page } = tab;
  await page.getByRole('checkbox', { name: 'bulk-2' }).waitFor();
  for (const name of names) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Silence' }).click();
  await fillIn(tab, 'Disks');
  await page.getByText(/^Silenced until/).waitFor();
  const [{ selector }] = await silences();
  const named = /^node_id in \((.+)\)$/.exec(selector)?.[1]?.split(',');
  expect(named?.toSorted()).toEqual(ids.toSorted());
  expectClean(tab);
});

test('the selector of an Editor with owners requires them; a Viewer sees the silence and cannot end it', async () => {
  const { node_id: id } = await site.addNode('host-of-team', { custom_labels: { team: 'shop' } });
  const keyOf = async (role: string, more: object = {}) =>
    (await site.write('POST', '/v1/api-keys', { name: `silences of ${role}`, role, ...more })).key;
  const team = await site.open(`/#/nodes/${id}`);
  await logInWithKey(team, await keyOf('Editor', { owners: ['shop', 'dba'] }));
  await team.page.getByRole('button', { name: 'Silence', exact: true }).click();
  await fillIn(team, 'Disk');
  await team.page.getByText(/by silences of Editor: Disk$/).waitFor();
  expect(await silences()).toMatchObject([{ selector: `node_id=${id},team in (shop,dba)` }]);

  const viewer = await site.open(`/#/nodes/${id}`);
  await logInWithKey(viewer, await keyOf('Viewer'));
  await viewer.page.getByText(/by silences of Editor: Disk$/).waitFor();
  expect(await viewer.page.getByRole('button', { name: /^(End s|S)ilence$/ }).count()).toBe(0);
  expectClean(team);
  expectClean(viewer);
});

test('a silence ends at a chosen date and time, in the stated time zone, at most 30 days ahead', async () => {
  const { node_id: id } = await site.addNode('host-until', { address: '10.2.0.1' });
  const tab = await site.at(`nodes/${id}`);
  const { page } = tab;
  await page.getByRole('button', { name: 'Silence', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Silence' });
  await dialog.getByRole('button', { name: 'At a date and time' }).click();
  const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
  await dialog.getByText(`In the time zone ${String(zone)}.`).waitFor();
  const date = dialog.getByRole('textbox', { name: 'Ends', exact: true });
  const fill = async (days: number) => {
    const day = new Date(Date.now() + days * 86_400_000);
    const end = new Date(day.getFullYear(), day.getMonth(), day.getDate(), 18, 30);
    const two = (number: number) => String(number).padStart(2, '0');
    await date.fill(`${end.getFullYear()}/${two(end.getMonth() + 1)}/${two(end.getDate())}`);
    await dialog.getByRole('textbox', { name: 'Ends: time of day' }).fill('18:30');
    return end;
  };
  const error = dialog.getByText('Enter a time in the next 30 days.');
  await fill(-1);
  await error.waitFor();
  await fill(3);
  await error.waitFor({ state: 'detached' });
  await fill(32);
  await error.waitFor();
  await dialog.getByRole('button', { name: 'Ends: calendar' }).waitFor();
  await expectNoViolations(tab);
  const end = await fill(3);
  await error.waitFor({ state: 'detached' });
  await fillIn(tab, 'Move of the rack');
  await page.getByText(/by admin: Move of the rack$/).waitFor();
  const [{ until }] = await silences();
  expect(Math.abs(Date.parse(until) - end.getTime())).toBeLessThan(60_000);
  expectClean(tab);
});

test('the pages of a service and an agent on a silenced node name the silence and lead to it', async () => {
  const { node_id: node } = await site.addNode('host-below', { address: '10.2.0.2' });
  const { agent_id: process } = await site.write('POST', '/v1/agents', {
    agent_type: 'pmm_agent',
    runs_on_node_id: node,
  });
  const { service_id: service } = await site.write('POST', '/v1/services', {
    ...{ service_type: 'mysql', service_name: 'below', address: '10.2.0.2', port: 3306, node_ids: [node] },
  });
  const { agent_id: agent } = await site.write('POST', '/v1/agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process,
    insights: { service_ids: [service] },
  });
  const silence = { reason: 'Disks', time_to_live: '1h' };
  await site.write('POST', '/v1/silences', { ...silence, selector: `node_id=${node}` });
  const tab = await site.at(`services/${service}`);
  const { page } = tab;
  const mark = page.getByText(/^Silenced with what it rests on until .+ by admin: Disks/);
  for (const [path, name] of [
    [`services/${service}`, 'below'],
    [`agents/${agent}`, 'mysqld_exporter on host-below'],
  ] as const) {
    await page.goto(`${site.server.base}/#/${path}`);
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await mark.waitFor();
    expect(await page.getByRole('button', { name: 'End silence' }).count()).toBe(0);
    await expectAccessible(tab);
  }
  await page.getByRole('link', { name: `Silences: node_id=${node}` }).click();
  await page.getByRole('heading', { name: 'Silences (1)', level: 1 }).waitFor();

  // One of two nodes is not enough.
  const { node_id: other } = await site.addNode('host-beside', { address: '10.2.0.3' });
  await site.write('PATCH', `/v1/services/${service}`, { node_ids: [node, other] });
  await page.goto(`${site.server.base}/#/services/${service}`);
  await page.getByRole('heading', { name: 'below', level: 1 }).waitFor();
  await untilIdle(tab);
  expect(await mark.count()).toBe(0);
  expectClean(tab);
});
