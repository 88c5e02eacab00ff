import { accepted, logInAs, PASSWORD } from '../../tests/support/users.ts';
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
