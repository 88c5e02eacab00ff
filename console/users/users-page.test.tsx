import { accepted } from '../../tests/support/users.ts';
import { rowsOf, screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

beforeAll(() => site.addNode('db-1', { custom_labels: { team: 'dba' } }));

const dialog = (name: string) => within(screen.getByRole('dialog', { name }));

async function act(name: string, item: string) {
  await user.click(screen.getByRole('button', { name: `Actions on ${name}` }));
  await user.click(screen.getByRole('menuitem', { name: item }));
}

test("a user's page ends sessions, changes rights, disables, invites again and removes", async () => {
  const { user_name: name } = await accepted(site.inventory, 'Viewer');
  const stateOf = async () =>
    (await site.api('GET', '/v1/users')).body.users.find((listedUser: any) => listedUser.user_id === name) ?? 'removed';
  await site.at('configuration/users');
  await user.click(screen.getByRole('link', { name }));
  expect(screen.getByRole('heading', { name, level: 1 })).toBeDefined();
  await user.click(screen.getByRole('button', { name: new RegExp(`^End the session of ${name}`) }));
  await user.click(dialog('End session').getByRole('button', { name: 'End session' }));
  expect(textOf()).toContain('No active sessions');
  await act(name, 'Change role');
  await user.click(dialog('Change user').getByRole('button', { name: /^Role/ }));
  await user.click(screen.getByRole('option', { name: /^Admin/ }));
  await user.click(dialog('Change user').getByRole('button', { name: 'Change' }));
  expect(textOf()).toContain(`The rights of ${name} were changed.`);
  await act(name, 'Disable');
  await user.click(dialog('Disable user').getByRole('button', { name: 'Disable' }));
  expect(screen.getByText('Disabled')).toBeDefined();
  expect(await stateOf()).toMatchObject({ role: 'Admin', state: 'disabled' });
  await act(name, 'Invite again');
  await user.click(dialog('Invite again').getByRole('button', { name: 'Invite' }));
  expect(dialog('User invited').getByText(new RegExp(`#/invitation\\?user=${name}`))).toBeDefined();
  await user.click(dialog('User invited').getAllByRole('button', { name: 'Close' })[0]!);
  await act(name, 'Remove');
  await user.click(dialog('Remove user').getByRole('button', { name: 'Remove' }));
  expect(screen.getByRole('heading', { name: /^Users/, level: 1 })).toBeDefined();
  expect(screen.queryByRole('link', { name })).toBeNull();
  expect(await stateOf()).toBe('removed');
});

test('a Viewer reads that users require the role Admin', async () => {
  await site.at('configuration/users', { key: site.inventory.keys.Viewer });
  expect(textOf()).toContain('This requires the role Admin');
});

test('the forms of keys and enrolment tokens set owners', async () => {
  await site.at('configuration/api-keys');
  const chooseOwner = async (window: string) => {
    await user.click(dialog(window).getByRole('button', { name: /No limit/ }));
    await user.click(screen.getByRole('option', { name: 'dba' }));
    await user.keyboard('{Escape}');
    await user.click(dialog(window).getByRole('button', { name: 'Add' }));
  };
  const close = (window: string) => user.click(dialog(window).getAllByRole('button', { name: 'Close' })[0]!);
  await user.click(screen.getAllByRole('button', { name: 'Add API key' })[0]!);
  await user.type(dialog('Add API key').getByLabelText('Key name'), 'team key');
  await chooseOwner('Add API key');
  await close('API key created');
  expect(rowsOf('API keys').map((row) => textOf(row))).toContainEqual(expect.stringMatching(/team key.*Only dba/));
  await user.click(screen.getByRole('link', { name: 'Enrolment tokens' }));
  await user.click(screen.getAllByRole('button', { name: 'Add enrolment token' })[0]!);
  await user.type(dialog('Add enrolment token').getByRole('textbox', { name: /^Name/ }), 'host of a team');
  await chooseOwner('Add enrolment token');
  await close('Enrolment token created');
  expect(rowsOf('Enrolment tokens').map((row) => textOf(row))).toContainEqual(
    expect.stringMatching(/host of a team.*Owner dba/),
  );
});
