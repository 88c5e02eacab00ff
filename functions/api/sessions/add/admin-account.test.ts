/** The setting `adminAccount`: the account `admin` for emergencies, or disabled. */
import { ADMIN_PASSWORD, type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { answerWith, askForSession, poll } from '../../../../tests/support/devices.ts';
import { logInByDevice } from '../../../identity/by-device.ts';
import { type AdminAccountUse, EMERGENCY_LOG_IN } from '../../../domain/access/admin-account.ts';
import { TEST_TIME, testTime } from '../../../../tests/support/test-time.ts';

let inventory: Inventory;
afterEach(() => inventory.stop());
const start = async (adminAccount: AdminAccountUse) => (inventory = await startInventory({ adminAccount }));

const request = (Authorization: string, method: string, path: string) =>
  inventory.request(method, path, { as: null, headers: { Authorization } });
const withPassword = (method: string, path: string, user = 'admin') =>
  request(`Basic ${Buffer.from(`${user}:${ADMIN_PASSWORD}`).toString('base64')}`, method, path);
const withKey = (key: string) => request(`Bearer ${key}`, 'GET', '/v1/caller');
const hoursLeft = ({ expires_at: end }: { expires_at: string }) => (Date.parse(end) - TEST_TIME) / 3_600_000;

test('an emergency password opens only sessions of an hour, each in the audit and the log', async () => {
  await start('emergency');
  const refused = await withPassword('GET', '/v1/caller');
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'Access denied: the account admin is for emergencies. Open a session with POST /v1/sessions, and use its key.',
  ]);
  const { status, body } = await withPassword('POST', '/v1/sessions');
  expect([status, Math.round(hoursLeft(body)), (await withKey(body.key)).status]).toEqual([201, 1, 200]);
  const entriesOf = async (id: string) =>
    (await inventory.request('GET', `/v1/audit?event=session.added&object_id=${id}`)).body.entries;
  expect(await entriesOf(body.session_id)).toMatchObject([{ actor: { name: 'admin' }, after: { emergency: true } }]);
  const logged = inventory.logged.filter(({ message }) => message === EMERGENCY_LOG_IN);
  expect(logged).toMatchObject([{ level: 'error', session: body.session_id }]);
});

test('a device that the emergency account approves gets a session that ends with the approving one', async () => {
  await start('emergency');
  const { body: first } = await withPassword('POST', '/v1/sessions');
  const { body: codes } = await askForSession(inventory, 'inventory on build-7');
  await answerWith(inventory, first.key, { user_code: codes.user_code, answer: 'approve' });
  const { status, body } = await poll(inventory, codes.device_code);
  expect([status, body.expires_at]).toEqual([201, first.expires_at]);
  const { body: audit } = await inventory.request('GET', `/v1/audit?object_id=${body.session_id}`);
  expect(audit.entries).toMatchObject([{ event: 'session.added', after: { emergency: true } }]);
  const logged = inventory.logged.filter(({ message }) => message === EMERGENCY_LOG_IN);
  expect(logged.map(({ session }) => session)).toEqual([first.session_id, body.session_id]);
});

test('a twelve-hour session from before the setting gives a device an hour', async () => {
  await start('enabled');
  const { body: first } = await withPassword('POST', '/v1/sessions');
  const { body: codes } = await askForSession(inventory, 'inventory on build-7');
  await answerWith(inventory, first.key, { user_code: codes.user_code, answer: 'approve' });
  const attempt = { requestId: 'r', sourceIp: '192.0.2.1', now: testTime() };
  const proof = { method: 'device' as const, device_code: codes.device_code };
  const opened = await logInByDevice(proof, attempt, { ...inventory.dependencies, adminAccount: 'emergency' });
  expect(Math.round(hoursLeft(opened))).toBe(1);
  expect(inventory.logged.map(({ message }) => message)).toContain(EMERGENCY_LOG_IN);
});

test('an enabled account is admitted by its password, and its log-ins are no emergencies', async () => {
  await start('enabled');
  expect((await withPassword('GET', '/v1/caller')).status).toBe(200);
  const { body } = await withPassword('POST', '/v1/sessions');
  expect(Math.round(hoursLeft(body))).toBe(12);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=session.added');
  expect(audit.entries[0].after).not.toHaveProperty('emergency');
  expect(inventory.logged.filter(({ message }) => message === EMERGENCY_LOG_IN)).toEqual([]);
});

test('a disabled account is refused like an unknown user, and its sessions end', async () => {
  await start('enabled');
  const { body } = await withPassword('POST', '/v1/sessions');
  expect((await withKey(body.key)).status).toBe(200);
  // As by a deployment. The authorizer reads it for each request.
  inventory.dependencies.adminAccount = 'disabled';
  const [reply, unknown] = [
    await withPassword('POST', '/v1/sessions'),
    await withPassword('POST', '/v1/sessions', 'nobody'),
  ];
  const { request_id: _, ...said } = reply.body;
  expect([reply.status, unknown.status, unknown.body]).toMatchObject([401, 401, said]);
  expect((await withKey(body.key)).status).toBe(401);
  expect((await inventory.request('GET', '/v1/caller')).status).toBe(200);
});
