import { addLimitedKey } from '../../tests/support/teams.ts';
import { goTo, screen, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();
let nodeId: string;

beforeAll(async () => {
  nodeId = (await site.addNode('db-1', { custom_labels: { team: 'a' } })).node_id;
});

const controls = (name: string | RegExp) => [
  ...screen.queryAllByRole('button', { name }),
  ...screen.queryAllByRole('link', { name }),
];

test('a Viewer sees everything, is offered no change, and reads the required role', async () => {
  await site.at('nodes', { key: site.inventory.keys.Viewer });
  expect(textOf()).toContain('To add, change or remove objects, you need the role Editor.');
  for (const name of ['Add node', 'Set label', 'Actions']) expect(controls(name)).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'db-1' }));
  expect(textOf()).toContain('To change or remove it, you need the role Editor.');
  expect(screen.getByRole('table', { name: 'Agents that run on it' })).toBeDefined();
  for (const name of [/^Change/, /^Remove\b/, /^Add/]) expect(controls(name)).toEqual([]);
  for (const hash of ['nodes/add', `nodes/${nodeId}/change`, 'agents/add']) {
    await goTo(hash);
    expect(textOf()).toContain('This requires the role Editor');
    expect(screen.queryAllByRole('textbox')).toEqual([]);
  }
  await goTo('configuration/api-keys');
  expect(textOf()).toContain('This requires the role Admin');
  expect(textOf()).toContain('test Viewer has the role Viewer.');
});

test('an Editor changes the inventory, and reads that API keys require an Admin', async () => {
  await site.at('nodes', { key: site.inventory.keys.Editor });
  for (const name of ['Add node', 'Set label', 'Actions']) expect(controls(name)).not.toEqual([]);
  await goTo(`nodes/${nodeId}/change`);
  const address = screen.getByRole('textbox', { name: /^Address/ });
  await user.clear(address);
  await user.type(address, '10.0.0.2');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(textOf()).toContain('The node db-1 was changed.');
  expect((await site.api('GET', `/v1/nodes/${nodeId}`)).body.address).toBe('10.0.0.2');
  expect(textOf(document.querySelector('main')!)).toContain('10.0.0.2');
  await goTo('configuration/api-keys');
  expect(textOf()).toContain('This requires the role Admin');
});

describe('a member of a team', () => {
  const ownKey = async () => (await addLimitedKey(site.inventory, ['shop'])).key;

  test('may change, silence and remove only objects of its team, and reads the owner of others', async () => {
    const { node_id: teamNodeId } = await site.addNode('shop-1', { custom_labels: { team: 'shop' } });
    const actions = [/^Change$/, /^Silence$/, /^Remove$/];
    await site.at(`nodes/${teamNodeId}`, { key: await ownKey() });
    for (const name of actions) expect([name, controls(name).length]).toEqual([name, 1]);
    await goTo(`nodes/${nodeId}`);
    expect(textOf()).toContain('This node belongs to team a. You write objects of team shop only.');
    for (const name of actions) expect([name, controls(name)]).toEqual([name, []]);
    await goTo(`nodes/${nodeId}/change`);
    expect(textOf()).toContain('This node belongs to team a.');
    expect(screen.queryAllByRole('textbox')).toEqual([]);
  });

  test('lists and adds keys of its team, with permitted roles', async () => {
    await addLimitedKey(site.inventory, ['other'], { name: 'of others' });
    await site.at('configuration/api-keys', { key: await ownKey() });
    expect(textOf()).not.toContain('of others');
    await user.click(screen.getAllByRole('button', { name: 'Add API key' })[0]!);
    await user.click(screen.getByRole('button', { name: /^Role/ }));
    const offered = screen
      .getAllByRole('option')
      .map((option) => /^(Editor|Viewer|[A-Z][a-z]+)(?=Reads)/.exec(textOf(option))?.[0]);
    expect(offered.toSorted()).toEqual(['Editor', 'Viewer']);
  });
});
