import { ADMIN_PASSWORD } from '../../tests/support/inventory.ts';
import { accepted, invited, PASSWORD } from '../../tests/support/users.ts';
import { pass, rowsOf, screen, untilQuiet, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';
import { finishProviderLogIn } from './provider-log-in.tsx';

const MINUTE_MS = 60_000;

const site = openSite();

const title = () => textOf(document.querySelector('main h1, h1')!);

/** All that outlives the page here. */
const stored = () => JSON.stringify([localStorage, sessionStorage, history.state, location.href]);

const storedKey = (): string => JSON.parse(sessionStorage.getItem('session-key') ?? '{}').key;

const fill = async (field: Element, text: string) => {
  await user.click(field);
  await user.paste(text);
};

async function logIn(): Promise<void> {
  await fill(document.querySelector('input[name=password]')!, ADMIN_PASSWORD);
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

async function logInWithKey(key: string): Promise<void> {
  await user.click(screen.getByRole('radio', { name: 'API key' }));
  await fill(document.querySelector('input[name=key]')!, key);
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

async function logOut(): Promise<void> {
  // Without a layout, as without room, the menu of the user is in another one.
  await user.click(screen.getAllByText('More').at(-1)!);
  await user.click(screen.getAllByText('admin').at(-1)!);
  await user.click(screen.getByText('Log out'));
}

const status = async (key: string) => (await site.api('GET', '/v1/caller', undefined, key)).status;

test('a session that was unused for 30 minutes is not kept for a reload, and each use prolongs that', async () => {
  await site.open('nodes');
  await logIn();
  expect(storedKey()).toMatch(/^minv_/);
  expect(stored()).not.toContain(ADMIN_PASSWORD);
  await pass(29 * MINUTE_MS);
  await user.click(screen.getByLabelText('Reload the nodes'));
  await pass(29 * MINUTE_MS);
  expect(storedKey()).toMatch(/^minv_/);
  await pass(2 * MINUTE_MS);
  expect(stored()).not.toContain('minv_');
});

test("a link that resembles a provider's redirect ends no session", async () => {
  await site.open('nodes');
  await logIn();
  const key = storedKey();
  history.replaceState(null, '', '/?code=invented&state=of-nobody');
  await finishProviderLogIn();
  expect([storedKey(), location.search, await status(key)]).toEqual([key, '', 200]);
});

test('an API key is never kept, and the page reports its removal and asks for a key', async () => {
  const { key, key_id: id } = await site.write('POST', '/v1/api-keys', { name: 'removed', role: 'Viewer' });
  await site.open('nodes');
  await logInWithKey(key);
  expect(title()).toMatch(/^Nodes/);
  expect(stored()).not.toContain('minv_');
  await site.write('DELETE', `/v1/api-keys/${id}`);
  await user.click(screen.getByLabelText('Reload the nodes'));
  expect(title()).toBe('Log in');
  expect(textOf()).toContain('The API key that you logged in with no longer works (it was removed or rotated).');
  expect(screen.getByRole('radio', { name: 'API key' })).toHaveProperty('checked', true);
  expect(document.querySelector('input[name=key]')).not.toBeNull();
});

test('log out revokes the session and deletes its key, and the next user sees no former data', async () => {
  await site.addNode('of-the-former-user');
  const network = await site.open('nodes');
  await logIn();
  const key = storedKey();
  expect(rowsOf('Nodes').map(textOf)).toEqual([expect.stringContaining('of-the-former-user')]);
  expect(await status(key)).toBe(200);
  await logOut();
  expect(title()).toBe('Log in');
  expect(textOf()).toContain('You are logged out.');
  expect(stored()).not.toContain('minv_');
  expect(await status(key)).toBe(401);

  const release = network.hold('GET /v1/nodes');
  await logIn();
  expect(textOf(document.querySelector('main')!)).toContain('Loading nodes');
  expect(textOf()).not.toContain('of-the-former-user');
  release();
  await untilQuiet();
  expect(textOf()).toContain('of-the-former-user');
});

test('a log-out that the server misses reports that the session still exists', async () => {
  const network = await site.at('nodes');
  network.refuseNext('DELETE /v1/sessions', 400, 'Not today.');
  await logOut();
  expect(textOf()).toMatch(/could not be ended on the server\. The session expires at /);
});

test('an ending session returns the user to the page with typed text, but not after a log-out', async () => {
  await site.open('nodes/add?node_type=generic');
  await logIn();
  await fill(screen.getByLabelText('Name'), 'half typed');
  await fill(screen.getByLabelText('Address'), '10.0.0.1');
  await site.api('DELETE', '/v1/sessions', undefined, storedKey());
  await user.click(screen.getByRole('button', { name: 'Add node', hidden: true }));
  expect(title()).toBe('Log in');
  expect(textOf()).toContain('Your session has ended');
  expect(stored()).not.toContain('minv_');
  await logIn();
  expect(title()).toBe('Add node');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'half typed');

  await logOut();
  const dialog = within(screen.getByRole('dialog', { name: 'Leave this page?' }));
  await user.click(dialog.getByRole('button', { name: 'Leave' }));
  expect(title()).toBe('Log in');
  await logIn();
  expect(title()).toBe('Add node');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', '');
});

test('five minutes before its end a session announces it', async () => {
  await site.open('configuration/users');
  await logIn();
  await pass(11 * 60 * MINUTE_MS + 54 * MINUTE_MS);
  expect(textOf()).not.toContain('Your session expires at');
  await pass(2 * MINUTE_MS);
  expect(textOf()).toContain('Your session expires at');
  await pass(3.5 * MINUTE_MS);
  expect(textOf()).not.toContain('Your session has ended');
  await pass(MINUTE_MS);
  expect(textOf()).toContain('Your session has ended');
});

test('without the server the page reports that, keeps its content, and continues afterwards', async () => {
  const network = await site.at('nodes');
  const LOST = 'The server cannot be reached.';
  network.isOnline = false;
  await user.click(screen.getByLabelText('Reload the nodes'));
  await pass(10_000);
  expect(textOf()).toContain(LOST);
  network.isOnline = true;
  await pass(10_000);
  expect(textOf()).not.toContain(LOST);
  expect(textOf()).toContain('of-the-former-user');
});

test('open sessions are listed, and ending one logs its user out', async () => {
  const { key } = await site.write('POST', '/v1/sessions');
  await site.at('configuration/sessions');
  const { sessions } = (await site.api('GET', '/v1/sessions', undefined, key)).body;
  expect(sessions.filter(({ current }: { current?: boolean }) => current === true)).toHaveLength(1);
  expect(title()).toBe(`Sessions (${sessions.length})`);
  expect(rowsOf('Sessions').filter((row) => textOf(row).includes('This session'))).toHaveLength(1);
  const others = () => rowsOf('Sessions').filter((row) => !textOf(row).includes('This session'));
  // Those of the tests before are there as well.
  for (let left = others().length; left > 0; left -= 1) {
    await user.click(within(others()[0]!).getByText('End'));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End session' }));
    expect(title()).toBe(`Sessions (${left})`);
  }
  expect(await status(key)).toBe(401);

  await user.click(within(rowsOf('Sessions')[0]!).getByText('End'));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End session' }));
  expect(textOf()).toContain('You have ended your session.');
});

test('a user logs in with the password, and a wrong password is reported without a request name', async () => {
  const { user_name: name } = await accepted(site.inventory, 'Viewer');
  await site.open('nodes');
  const field = document.querySelector<HTMLInputElement>('input[name=user]')!;
  expect([field.value, document.activeElement]).toEqual(['admin', document.querySelector('input[name=password]')]);
  await user.clear(field);
  await fill(field, ` ${name} `);
  await fill(document.querySelector('input[name=password]')!, 'not the password');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(textOf(screen.getByRole('alert'))).not.toContain('Request');
  expect(screen.getByRole('button', { name: 'Log in' })).toHaveProperty('disabled', false);
  await user.clear(document.querySelector('input[name=password]')!);
  await fill(document.querySelector('input[name=password]')!, PASSWORD);
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(title()).toMatch(/^Nodes/);
  expect((await site.api('GET', '/v1/caller', undefined, storedKey())).body.name).toBe(name);
});

test('a server failure shows its request, and disappears with another way to log in', async () => {
  const network = await site.open('nodes');
  network.refuseNext('POST /v1/sessions', 400, 'Not today.');
  await logIn();
  expect(textOf(screen.getByRole('alert'))).toContain('Not today. (Request refused)');
  await user.click(screen.getByRole('radio', { name: 'API key' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(document.querySelector('input[name=key]'));
});

const provider = {
  ...{ method: 'oidc', provider: 'acme', title: 'Acme', client_id: 'console', scope: 'openid' },
  redirect_uris: ['https://elsewhere.example/'],
};

test('a provider is offered first with its log-out, and unavailable parts are reported', async () => {
  let methods: object[] = [{ ...provider, end_session_endpoint: 'https://acme.example/end' }];
  const before: Parameters<typeof site.open>[1] = {
    before: (network) => void network.answer('GET /v1/logins', () => ({ methods })),
  };
  await site.open('nodes', before);
  expect(screen.getAllByRole('radio').map((radio) => radio.parentElement!.textContent)).toEqual(['Acme', 'API key']);
  expect(screen.getByRole('radio', { name: 'Acme' })).toHaveProperty('checked', true);
  expect(screen.getByRole('link', { name: 'Log out at Acme' }).getAttribute('href')).toMatch(
    /^https:\/\/acme\.example\/end\?client_id=console&post_logout_redirect_uri=/,
  );
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(textOf(screen.getByRole('alert'))).toContain('Acme cannot be reached at the moment.');
  methods = [{ ...provider, authorization_endpoint: 'https://acme.example/authorize' }];
  await site.open('nodes', before);
  expect(screen.queryByRole('link', { name: 'Log out at Acme' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(textOf(screen.getByRole('alert'))).toMatch(
    /is not set up for the address .* at https:\/\/elsewhere\.example\/\./,
  );
});

test('where the admin account is disabled, the user field is empty with the reason', async () => {
  const methods = [{ method: 'password', title: 'Password', admin_account: 'disabled' }];
  await site.open('nodes', { before: (network) => void network.answer('GET /v1/logins', () => ({ methods })) });
  expect(document.querySelector('input[name=user]')).toHaveProperty('value', '');
  expect(textOf()).toContain('The account admin is disabled');
});

test('an invitation sets a password that is typed twice, and opens a session', async () => {
  const { user_name: name, invitation } = await invited(site.inventory, 'Viewer');
  await site.open(`invitation?user=${name}&invitation=${invitation}`);
  expect(title()).toBe('Accept the invitation');
  expect(location.hash).toBe('');
  const submit = () => user.click(screen.getByRole('button', { name: 'Set the password and log in' }));
  await fill(document.querySelector('input[name=password]')!, PASSWORD);
  await fill(document.querySelector('input[name=repeated]')!, 'another');
  await submit();
  expect(textOf(screen.getByRole('alert'))).toContain('The two passwords differ.');
  expect(document.activeElement).toBe(document.querySelector('input[name=password]'));
  await user.clear(document.querySelector('input[name=repeated]')!);
  await fill(document.querySelector('input[name=repeated]')!, PASSWORD);
  await submit();
  expect([title(), location.hash]).toEqual([expect.not.stringContaining('Accept'), '#/overview']);
});
