/** The console of a service whose account `admin` is for emergencies. */
import { eventually } from '../end-to-end/processes.ts';
import { expectClean, expectNoViolations, logIn, useSite, PASSWORD, storedKey } from './browser.ts';

const site = useSite({ ADMIN_ACCOUNT: 'emergency' });

test('the page names the emergency log-in, whose session ends within an hour and is audited and logged', async () => {
  const tab = await site.open();
  await tab.page.getByRole('radio', { name: 'Password, or emergency log-in as admin' }).check();
  await expectNoViolations(tab);
  await logIn(tab);
  const key = await storedKey(tab);
  const { body } = await site.api('GET', '/v1/sessions', undefined, key);
  expect(body.sessions).toHaveLength(1);
  // An end is rounded up to a whole second.
  expect(Date.parse(body.sessions[0].expires_at) - Date.now()).toBeLessThan(3_601_000);
  const { body: audit } = await site.api('GET', '/v1/audit?event=session.added', undefined, key);
  expect(audit.entries).toMatchObject([{ after: { emergency: true } }]);
  await eventually(() => site.server.stderr().includes('emergency log-in'));
  expect(site.server.output()).not.toContain(PASSWORD);
  // The password alone calls nothing.
  expect((await site.api('GET', '/v1/nodes')).status).toBe(403);
  expectClean(tab);
});
