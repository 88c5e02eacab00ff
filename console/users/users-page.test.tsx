import { accepted, invited } from '../../tests/support/users.ts';
import { cellsOf, goTo, rowsOf, screen, textOf, user, within } from '../testing/page.tsx';
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
  expect(screen.getByRole('heading', { name, level: 1 })).toBeDefined();
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

const usersNow = async () => (await site.api('GET', '/v1/users')).body.users;

test('a user is added with a role, an owner and an invitation, which is shown once; a taken name is refused', async () => {
  await site.at('configuration/users');
  await user.click(screen.getAllByRole('button', { name: 'Add user' })[0]!);
  const adding = dialog('Add user');
  const add = () => user.click(adding.getByRole('button', { name: 'Add' }));
  await add();
  expect(textOf(screen.getByRole('dialog'))).toContain('Must be a lower-case letter');
  await user.type(adding.getByRole('textbox', { name: /^User name/ }), 'maria.lopez');
  expect(adding.queryByRole('button', { name: /No limit/ })).toBeNull();
  await user.click(adding.getByRole('button', { name: /^Role/ }));
  await user.click(screen.getByRole('option', { name: /^Editor/ }));
  await user.click(adding.getByRole('button', { name: /No limit/ }));
  await user.click(screen.getByRole('option', { name: 'dba' }));
  await user.keyboard('{Escape}');
  await user.type(adding.getByRole('textbox', { name: /^Time to live of the invitation/ }), '2h');
  await add();
  const window = screen.getByRole('dialog', { name: 'User invited' });
  const text = textOf(window);
  expect(text).toContain('Its first holder sets the password of maria.lopez and gets the role Editor.');
  expect(text).toMatch(/It works once, until /);
  const [link = '', invitation = ''] = [...window.querySelectorAll('code')].map(({ textContent }) => textContent);
  expect(link).toContain(invitation);
  await user.click(within(window).getAllByRole('button', { name: 'Close' }).at(-1)!);
  expect(document.documentElement.outerHTML).not.toContain(invitation);
  const added = (await usersNow()).find((listedUser: any) => listedUser.user_id === 'maria.lopez');
  expect(added).toMatchObject({ role: 'Editor', owners: ['dba'], state: 'invited' });
  const row = cellsOf(rowsOf('Users')).map((cells) => cells.slice(0, 4));
  expect(row).toContainEqual(['maria.lopez', 'Editor Only dba', 'Invited', 'Never']);

  await user.click(screen.getAllByRole('button', { name: 'Add user' })[0]!);
  await user.type(dialog('Add user').getByRole('textbox', { name: /^User name/ }), 'maria.lopez');
  await user.click(dialog('Add user').getByRole('button', { name: 'Add' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('already exists');
  expect(textOf()).not.toContain('The user could not be added');
});

test('a user is locked, let in again and logged out everywhere; a narrow list says the state in the row of the name', async () => {
  const { user_name: name, key } = await accepted(site.inventory, 'Editor', { owners: ['dba'] });
  const confirm = async (header: string, button: string, effect: string) => {
    const question = textOf(screen.getByRole('dialog', { name: header }));
    expect(question).toContain(effect);
    expect(question).not.toContain('You are logged in as this user');
    await user.click(dialog(header).getByRole('button', { name: button }));
  };
  await site.at('configuration/users');
  await act(name, 'End all sessions');
  await confirm('End all sessions', 'End all sessions', `${name} must log in again everywhere.`);
  expect(textOf()).toContain(`All sessions of ${name} were ended.`);
  expect((await site.api('GET', '/v1/caller', undefined, key)).status).toBe(401);
  await act(name, 'Disable');
  await confirm('Disable user', 'Disable', `All sessions of ${name} end, and log-ins are refused.`);
  expect(textOf()).toContain(`${name} was disabled.`);
  await act(name, 'Enable');
  await confirm('Enable user', 'Enable', `${name} can log in again.`);
  expect(textOf()).toContain(`${name} was enabled.`);
  // A role without owners loses them.
  await act(name, 'Change role');
  const changing = dialog('Change user');
  expect(changing.getByText('dba')).toBeDefined();
  await user.click(changing.getByRole('button', { name: /^Role/ }));
  await user.click(screen.getByRole('option', { name: /^Viewer/ }));
  await user.click(changing.getByRole('button', { name: 'Change' }));
  const changed = (await usersNow()).find((listedUser: any) => listedUser.user_id === name);
  expect([changed.role, changed.owners, changed.state]).toEqual(['Viewer', undefined, 'active']);
  await site.at('configuration/users', { width: 600 });
  expect(rowsOf('Users').map((row) => textOf(row))).toContainEqual(
    expect.stringMatching(new RegExp(`${name}.*Active`)),
  );
});

test('an Admin who disables the own user is warned, and logged out', async () => {
  const { user_name: name, key } = await accepted(site.inventory, 'Admin');
  await site.at('configuration/users', { key });
  await act(name, 'Disable');
  const window = screen.getByRole('dialog', { name: 'Disable user' });
  expect(textOf(window)).toContain('You are logged in as this user, and will be logged out.');
  await user.click(dialog('Disable user').getByRole('button', { name: 'Disable' }));
  expect(textOf()).toContain('You have ended your sessions.');
});

test('the page of a user who does not exist says so, and a failure can be tried again', async () => {
  await site.at('configuration/users/nobody');
  expect(textOf()).toContain('This user does not exist. It may have been removed.');
  const { user_name: name } = await accepted(site.inventory);
  const network = await site.at('overview');
  network.refuseNext('GET /v1/users', 403, 'Not today.');
  await goTo(`configuration/users/${name}`);
  expect(textOf()).toContain('The user could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('heading', { name, level: 1 })).toBeDefined();
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

test('an Editor whose owners are all removed has no limit', async () => {
  const { user_name: name } = await accepted(site.inventory, 'Editor', { owners: ['dba'] });
  await site.at('configuration/users');
  await act(name, 'Change role');
  await user.click(dialog('Change user').getByRole('button', { name: 'Remove dba' }));
  await user.click(dialog('Change user').getByRole('button', { name: 'Change' }));
  expect(textOf()).toContain(`The rights of ${name} were changed.`);
  const changed = (await usersNow()).find((listedUser: any) => listedUser.user_id === name);
  expect([changed.role, changed.owners]).toEqual(['Editor', undefined]);
});

test('the page of a user has the end of an invitation that is open', async () => {
  const { user_name: invitee } = await invited(site.inventory);
  const { user_name: name } = await accepted(site.inventory);
  await site.at(`configuration/users/${invitee}`);
  expect(textOf()).toContain('Invitation expires');
  await goTo(`configuration/users/${name}`);
  expect(screen.getByRole('heading', { name, level: 1 })).toBeDefined();
  expect(textOf()).not.toContain('Invitation expires');
});

test('the question before an action shows its request', async () => {
  const { user_name: name } = await accepted(site.inventory);
  await site.at('configuration/users');
  await act(name, 'Disable');
  await user.click(dialog('Disable user').getByRole('button', { name: 'Show as curl', hidden: true }));
  expect(textOf(screen.getByRole('dialog'))).toMatch(/PATCH.*"disabled": ?true/);
});
