import { answerWith, askForSession, poll } from '../../tests/support/devices.ts';
import { accepted, logInAs, PASSWORD } from '../../tests/support/users.ts';
import { cellsOf, goTo, rowsOf, screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

/** Asks to end the session of a user. */
async function end(name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: new RegExp(`^End the session of ${name}`) }));
}

const dialog = () => within(screen.getByRole('dialog', { name: 'End session' }));
const confirm = () => user.click(dialog().getByRole('button', { name: 'End session' }));

const usersOf = () => cellsOf(rowsOf('Sessions')).map(([name = '']) => name.split(' ')[0]);

test("an Admin sees all users' sessions, last used first, and ends one", async () => {
  const { user_name: name, key } = await accepted(site.inventory, 'Editor');
  await site.at('configuration/sessions');
  expect(textOf()).toContain('Active sessions of all users.');
  expect(usersOf()).toContain(name);
  // Of a session that was never used, the time of its log-in.
  const times = rowsOf('Sessions').map((row) => row.querySelector('time')!.dateTime);
  expect(times.length).toBeGreaterThan(1);
  expect(times).toEqual(times.toSorted().reverse());
  await end(name);
  expect(dialog().getByText(/must log in again\.$/).textContent).toContain(name);
  await confirm();
  expect(textOf()).toContain(`The session of ${name} was ended. Its key no longer works.`);
  expect(screen.queryByRole('dialog', { name: 'End session' })).toBeNull();
  expect(usersOf()).not.toContain(name);
  expect((await site.api('GET', '/v1/caller', undefined, key)).status).toBe(401);
});

test('a session that ended in the meantime is no failure, and another failure keeps the question open', async () => {
  const { user_name: name, session_id: id } = await accepted(site.inventory, 'Editor');
  const network = await site.at('configuration/sessions');
  await end(name);
  network.refuseNext(/^DELETE \/v1\/sessions/, 403, 'It broke.');
  await confirm();
  expect(dialog().getByText('The session could not be ended')).toBeDefined();
  expect(dialog().getByText('It broke.')).toBeDefined();
  await site.write('DELETE', `/v1/sessions/${id}`);
  await confirm();
  expect(textOf()).toContain(`The session of ${name} has ended.`);
  expect(usersOf()).not.toContain(name);
});

test('ending the own session logs out', async () => {
  const { user_name: name, key } = await accepted(site.inventory, 'Editor');
  await logInAs(site.inventory, { method: 'password', user_name: name, password: PASSWORD });
  await site.at('configuration/sessions', { key });
  expect(textOf()).toContain('Your active sessions.');
  const rows = rowsOf('Sessions');
  expect(rows).toHaveLength(2);
  const [ownRow, ...others] = rows.filter((row) => textOf(row).includes('This session'));
  expect(others).toEqual([]);
  await user.click(within(ownRow!).getByRole('button', { name: /^End the session/ }));
  expect(dialog().getByText('This is your current session. You will be logged out.')).toBeDefined();
  await confirm();
  expect(textOf()).toContain('You have ended your session.');
});

test('a narrow page of an account shows its sessions without their begin and end', async () => {
  const { key } = await accepted(site.inventory, 'Editor');
  const headersAt = async (width: number) => {
    await site.at('account', { key, width });
    return screen.getAllByRole('columnheader').map((header) => textOf(header));
  };
  expect(await headersAt(1200)).toEqual(['User', 'Source address', 'Last used', 'Logged in', 'Expires', 'Actions']);
  expect(await headersAt(600)).toEqual(['User', 'Source address', 'Last used', 'Actions']);
});

test('the session of a device has its name, and a failure of the list can be tried again', async () => {
  const { key } = await accepted(site.inventory, 'Editor');
  const { body: codes } = await askForSession(site.inventory, 'inventory on build-7');
  await answerWith(site.inventory, key, { user_code: codes.user_code, answer: 'approve' });
  await poll(site.inventory, codes.device_code);
  await site.at('configuration/sessions', { key });
  expect(cellsOf(rowsOf('Sessions'))).toContainEqual(
    expect.arrayContaining([expect.stringContaining('Device inventory on build-7')]),
  );
  const network = await site.at('overview', { key });
  network.refuseNext('GET /v1/sessions', 403, 'Not today.');
  await goTo('account');
  expect(textOf()).toContain('The sessions could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Reload the sessions' }));
  expect(textOf()).not.toContain('The sessions could not be loaded');
});
