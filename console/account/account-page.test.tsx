import { accepted, logInAs, PASSWORD } from '../../tests/support/users.ts';
import { session } from '../api/session.tsx';
import { rowsOf, screen, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

test('a user sees their rights with the reason, and changing the password ends the other session', async () => {
  const { user_name: name, key } = await accepted(site.inventory, 'Editor', { owners: ['dba'] });
  const login = { method: 'password', user_name: name, password: PASSWORD };
  const { body: other } = await logInAs(site.inventory, login);
  await site.at('account', { key });
  expect(textOf()).toContain(`An Admin gave this role to the user ${name}.`);
  expect(textOf()).toContain('Only dba');
  expect(rowsOf('Your sessions')).toHaveLength(2);
  const change = async (present: string, next: string) => {
    for (const [label, text] of Object.entries({
      'Present password': present,
      'New password': next,
      'New password again': next,
    })) {
      const field = screen.getByLabelText(label);
      await user.clear(field);
      await user.type(field, text);
    }
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  };
  await change(PASSWORD, 'short');
  expect(textOf()).toContain('Must have at least 12 characters.');
  await change(PASSWORD, 'another long sentence');
  expect(textOf()).toContain('Your password was changed.');
  expect(rowsOf('Your sessions')).toHaveLength(1);
  const { body } = await site.api('GET', `/v1/sessions?user_id=${name}`);
  expect(body.sessions).toHaveLength(1);
  expect((await site.api('GET', '/v1/caller', undefined, other.key)).status).toBe(401);
});

test.each([
  [undefined, 'Role bindings give this role to your account at the identity provider.'],
  [['dba'], 'The role binding dba gives this role to your account'],
  [['dba', 'ops'], 'The role bindings dba, ops give this role to your account'],
])('a user of a provider reads which bindings give the role, of %j: %s', async (bindings, text) => {
  const { body } = await site.api('GET', '/v1/sessions');
  const [first] = body.sessions;
  await site.at('account', {
    before: (network) => {
      const state = session.state();
      if (state.kind !== 'in') throw new Error('nobody is logged in');
      session.renew(state.key, { ...state.caller, user_id: 'oidc:acme/ann', name: 'acme/ann' });
      const current = { ...first, current: true, method: 'oidc', ...(bindings && { bindings }) };
      network.answer('GET /v1/sessions', () => ({ sessions: [current] }));
    },
  });
  expect(textOf()).toContain(text);
  expect(textOf()).toContain('Identity provider');
  expect(screen.queryByLabelText('New password')).toBeNull();
});

test('a program with an API key reads that the key has the role, and the admin that the account has it', async () => {
  await site.at('account', { key: site.inventory.keys.Viewer });
  expect(textOf()).toContain('The API key test Viewer has this role.');
  await site.at('account');
  expect(textOf()).toContain('The account admin has this role.');
});
