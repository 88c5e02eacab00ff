import { useInventory } from '../../tests/support/fixtures.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { invited, logInAs, PASSWORD } from '../../tests/support/users.ts';

const inventory = useInventory();
beforeEach(() => (inventory.clock.now = testTime()));

const NEXT_PASSWORD = 'another quiet long sentence';

test('an invitation or a password opens a session of twelve hours, with the name and the rights of the user', async () => {
  const { user_name, invitation } = await invited(inventory, 'Editor', { owners: ['shop'] });
  const byInvitation = await logInAs(inventory, {
    ...{ method: 'invitation', user_name, invitation, new_password: PASSWORD },
  });
  const byPassword = await logInAs(inventory, { method: 'password', user_name, password: PASSWORD });
  for (const { status, body } of [byInvitation, byPassword]) {
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: user_name, role: 'Editor', owners: ['shop'] });
    expect(body.expires_at).toBe(testTime(12 * 3_600_000).toISOString());
  }
  expect(byPassword.body.user_id).toBe(byInvitation.body.user_id);
  const { body } = await inventory.request('GET', '/v1/sessions?page_size=1000');
  const methodOf = (id: string) => body.sessions.find(({ session_id }: any) => session_id === id)?.method;
  expect([byInvitation, byPassword].map(({ body: opened }) => methodOf(opened.session_id))).toEqual([
    'invitation',
    'password',
  ]);
});

test('a log-in can set another password, and otherwise keeps the present one', async () => {
  const { user_name, invitation } = await invited(inventory);
  await logInAs(inventory, { method: 'invitation', user_name, invitation, new_password: PASSWORD });
  const statusOf = async (password: string, more: object = {}) =>
    (await logInAs(inventory, { method: 'password', user_name, password, ...more })).status;
  expect([await statusOf(PASSWORD), await statusOf(PASSWORD)]).toEqual([201, 201]);
  expect(await statusOf(PASSWORD, { new_password: NEXT_PASSWORD })).toBe(201);
  expect([await statusOf(PASSWORD), await statusOf(NEXT_PASSWORD)]).toEqual([401, 201]);
});
