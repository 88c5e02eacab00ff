import {
  expectAccessible,
  expectClean,
  menuLink,
  useSite,
  sharedTab,
  type Tab,
  untilFact,
  untilFocused,
  untilIdle,
  untilValue,
} from './browser.ts';

const CLUSTER = 'pxc-test';
const NODES = ['pxc-test-1', 'pxc-test-2', 'pxc-test-3'];
const DASHBOARDS = [
  'Node overview=https://grafana.example.com/d/node?var-node=${node_name}',
  'MySQL=https://grafana.example.com/d/mysql?var-service=${service_name}',
  'All hosts=https://grafana.example.com/d/cluster?var-cluster=${cluster}',
];

// Links to dashboards are on the pages of all objects that it goes through.
const site = useSite({ DASHBOARDS: DASHBOARDS.join() });
let tab: Tab;

beforeAll(async () => {
  tab = sharedTab(await site.at('nodes'));
});

const menu = (name: string) => menuLink(tab, name).click();
const heading = (name: string | RegExp) => tab.page.getByRole('heading', { name, level: 1 }).waitFor();
const table = (name: string) => tab.page.getByRole('table', { name });

/** Chooses in an open list of a form by the beginning of a name, which the server looks for. */
async function choose(label: string | RegExp, ...names: string[]): Promise<void> {
  const { page } = tab;
  await page.getByRole('button', { name: label }).click();
  for (const name of names) {
    await page.getByPlaceholder('Name prefix').filter({ visible: true }).fill(name);
    // The options are those of the former text until the server has answered, and move then.
    const options = page.locator('[role=option]');
    await options
      .filter({ hasNotText: new RegExp(`${name}|^None$`) })
      .first()
      .waitFor({ state: 'detached' });
    await options.filter({ hasText: name }).click();
  }
  await page.keyboard.press('Escape');
}

/**
 * The list scrolls to what is chosen a moment after it has opened. A machine presses and releases the mouse at places that
 * may no longer be those of one option then, and looks and chooses again, as anybody would.
 */
async function chooseType(type: string): Promise<void> {
  const { page } = tab;
  const button = page.getByRole('button', { name: /^Type/ });
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await button.click();
    await page
      .locator('[role=option]')
      .filter({ hasText: new RegExp(`^${type}`) })
      .click();
    await page.locator('[role=option]').first().waitFor({ state: 'hidden' });
    if ((await button.textContent())?.includes(type) === true) return;
  }
  throw new Error(`${type} cannot be chosen`);
}

async function addNode(name: string, address: string): Promise<void> {
  const { page } = tab;
  await menu('Nodes');
  await page.getByRole('link', { name: 'Add node' }).first().click();
  await heading('Add node');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Add node' }).click();
  await heading(name);
}

describe('adding', () => {
  test('an empty inventory names the first step', async () => {
    await tab.page.getByText('No nodes yet').waitFor();
    await expectAccessible(tab);
  });

  test('a missing value has the message of the API beside its field, before a request', async () => {
    const { page } = tab;
    await page.goto(`${site.server.base}/#/nodes/add`);
    await heading('Add node');
    await page.getByRole('button', { name: 'Add node' }).click();
    const messages = page.getByText('Required.');
    await messages.nth(1).waitFor();
    expect(await messages.count()).toBe(2);
    await untilFocused(tab, '[aria-invalid="true"]');
    await expectAccessible(tab);
    expectClean(tab);
  });

  test('nodes are added one after the other, and a taken name is refused beside the form', async () => {
    for (const [index, name] of NODES.entries()) await addNode(name, `10.0.0.${index + 1}`);
    const { page } = tab;
    await menu('Nodes');
    await page.getByRole('link', { name: 'Add node' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill(NODES[0]!);
    await page.getByLabel('Address', { exact: true }).fill('10.0.0.9');
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByText(`Node with name "${NODES[0]}" already exists.`).waitFor();
    await page.getByText('Request ID').waitFor();
    expectClean(tab, [409]);
    tab.refusals.length = 0;
    // What was typed is not saved, and is not to be.
    await menu('Nodes');
    await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Leave' }).click();
    await heading('Nodes');
  });

  test("an agent process is added on the node's page", async () => {
    const { page } = tab;
    await menu('Nodes');
    await page.getByRole('link', { name: NODES[0]!, exact: true }).click();
    await page.getByRole('link', { name: 'Add a pmm_agent here' }).click();
    await heading('Add agent');
    await page.getByRole('button', { name: /Runs on node.*pxc-test-1/ }).waitFor();
    await page.getByRole('button', { name: 'Add agent' }).click();
    await heading(/^pmm_agent /);
  });

  test('a service of the cluster is added on three nodes, with labels', async () => {
    const { page } = tab;
    await menu('Services');
    await page.getByRole('link', { name: 'Add service' }).first().click();
    await heading('Add service');
    await page.getByLabel('Name', { exact: true }).fill('orders');
    await choose(/^Runs on nodes/, ...NODES);
    await page.getByLabel(/^Address/).fill('10.0.0.1');
    await page.getByLabel(/^Port/).fill('99999');
    await page.getByLabel(/^Cluster/).fill(CLUSTER);
    await page.getByRole('button', { name: 'Add label' }).click();
    await page.getByRole('textbox', { name: 'Name' }).last().fill('team');
    await page.getByRole('textbox', { name: 'Value' }).fill('payments');
    await page.getByRole('button', { name: 'Add service' }).click();
    await page.getByText('Must be at most 65535.').waitFor();
    await page.getByLabel(/^Port/).fill('3306');
    await expectAccessible(tab);
    await page.getByRole('button', { name: 'Add service' }).click();
    await heading('orders');
    for (const name of NODES) await page.getByRole('link', { name, exact: true }).waitFor();
    await untilFact(tab, 'payments');
  });

  test("an agent is added on the service's page, with the fields of its type", async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'Add an agent for it' }).click();
    await heading('Add agent');
    await chooseType('qan_mysql_slowlog_agent');
    await page.getByLabel(/^Username/).fill('monitor');
    // What the two types have in common stays, whatever is chosen between them.
    await chooseType('node_exporter');
    await chooseType('mysqld_exporter');
    await untilValue(page.getByLabel(/^Username/), 'monitor');
    await page.getByText('Services of the type mysql.').waitFor();
    await page.getByText('orders', { exact: true }).waitFor();
    await choose(/^Runs under pmm_agent/, NODES[0]!);
    await page.getByRole('button', { name: /More options/ }).click();
    await page.getByLabel(/^Listen port/).fill('42002');
    await page.getByLabel(/^Log level/).waitFor();
    await expectAccessible(tab);
    await page.getByRole('button', { name: 'Add agent' }).click();
    await heading(/^mysqld_exporter /);
    const { agents } = (await site.api('GET', '/v1/agents?agent_type=mysqld_exporter&include=state')).body;
    expect(agents).toMatchObject([
      { username: 'monitor', listen_port: 42002, insights: { service_ids: [expect.any(String)] } },
    ]);
    expectClean(tab);
  });
});

describe('browsing', () => {
  test('the cluster shows its services with their nodes and agents', async () => {
    const { page } = tab;
    await menu('Clusters');
    await page.getByRole('link', { name: CLUSTER, exact: true }).click();
    await heading(CLUSTER);
    const row = table('Services of the cluster').getByRole('row', { name: /orders/ });
    for (const name of NODES) await row.getByRole('link', { name }).waitFor();
    await row.getByRole('link', { name: /mysqld_exporter/ }).waitFor();
    // What comes above the table later would move it out of view again.
    await untilIdle(tab);
    await table('Nodes of the cluster').scrollIntoViewIfNeeded();
    await table('Nodes of the cluster')
      .getByRole('row', { name: /pxc-test-1/ })
      .getByRole('link', { name: /^pmm_agent/ })
      .waitFor();
    await expectAccessible(tab);
  });

  test('links lead both ways: from the service to its node, from the node to the agent, and back to the service', async () => {
    const { page } = tab;
    await table('Nodes of the cluster').getByRole('link', { name: NODES[0]! }).click();
    await heading(NODES[0]!);
    await table('Services that run on it').getByRole('link', { name: 'orders' }).waitFor();
    await table('Agents that run on it')
      .getByRole('link', { name: /^mysqld_exporter/ })
      .click();
    await heading(/^mysqld_exporter/);
    await expectAccessible(tab);
    await page.getByRole('link', { name: /^pmm_agent/ }).click();
    await heading(/^pmm_agent/);
    await table('Agents that run under it')
      .getByRole('link', { name: /^mysqld_exporter/ })
      .click();
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await heading('orders');
    await table('Agents that give insight into it')
      .getByRole('link', { name: /^mysqld_exporter/ })
      .waitFor();
    await expectAccessible(tab);
    expectClean(tab);
  });
});

describe('changing', () => {
  test('only changed fields are sent, and emptied ones are cleared', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await heading('Change orders');
    await page.getByLabel(/^Environment/).fill('prod');
    await page.getByRole('button', { name: 'Remove the label team' }).click();
    const [request] = await Promise.all([
      page.waitForRequest((sentRequest) => sentRequest.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save changes' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ environment: 'prod', custom_labels: { team: null } });
    expect(request.headers()['if-match']).toBe('"1"');
    await heading('orders');
    await page.getByText('No labels.').waitFor();
    await untilFact(tab, 'prod');
  });

  test("another user's concurrent change is not overwritten unseen", async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await heading('Change orders');
    await page.getByLabel(/^Environment/).fill('staging');
    const { services } = (await site.api('GET', '/v1/services')).body;
    await site.api('PATCH', `/v1/services/${services[0].service_id}`, { version: '8.4.3', cluster: CLUSTER });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('This service was changed by another user').waitFor();
    await page.getByText('They changed: Version.').waitFor();
    expect(await page.getByLabel(/^Environment/).inputValue()).toBe('staging');
    await expectAccessible(tab);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await heading('orders');
    await untilFact(tab, '8.4.3');
    await untilFact(tab, 'staging');
    expectClean(tab, [412]);
    tab.refusals.length = 0;
  });
});

describe('removing', () => {
  test('the dependants of a service are named before they are removed with it', async () => {
    const { page } = tab;
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove service' });
    await dialog.getByText('Also removed (1):').waitFor();
    await dialog.getByText(/^mysqld_exporter/).waitFor();
    const button = dialog.getByRole('button', { name: 'Remove', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await expectAccessible(tab);
    await dialog.getByLabel('Remove it although 1 object depends on it').check();
    await button.click();
    await page.getByText('The service orders was removed with its dependent objects.').waitFor();
    await page.getByText('No services yet').waitFor();
  });

  test('each node is removed with what runs on it', async () => {
    const { page } = tab;
    for (const [index, name] of NODES.entries()) {
      await menu('Nodes');
      await page.getByRole('link', { name, exact: true }).click();
      await heading(name);
      await page.getByRole('button', { name: 'Remove' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove node' });
      if (index === 0) await dialog.getByLabel('Remove it although 1 object depends on it').check();
      else await dialog.getByText(/^No other objects depend on the node\.$/).waitFor();
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText(`The node ${name} was removed`).waitFor();
    }
    await page.getByText('No nodes yet').waitFor();
    for (const list of ['nodes', 'services', 'agents'])
      expect((await site.api('GET', `/v1/${list}`)).body[list]).toEqual([]);
    expectClean(tab);
  });
});
