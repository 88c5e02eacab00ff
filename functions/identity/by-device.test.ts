import { answerWith, askForSession, poll, reasonIn } from '../../tests/support/devices.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { accepted } from '../../tests/support/users.ts';
import { useInventory } from '../../tests/support/fixtures.ts';
import { ADMIN_PASSWORD } from '../../tests/support/inventory.ts';
import { hashApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { sessionItemKey } from '../store/table/keys.ts';
import { readItem } from '../store/table/read.ts';
import { logInByDevice } from './by-device.ts';

const inventory = useInventory();
beforeEach(() => later(0));

const later = (seconds: number) => (inventory.clock.now = testTime(seconds * 1000));

/** A device that asks at a time, and this key approves at once. @returns its code. */
async function approvedAt(seconds: number, key: string): Promise<string> {
  later(seconds);
  const { body: codes } = await askForSession(inventory);
  expect((await answerWith(inventory, key, { user_code: codes.user_code, answer: 'approve' })).status).toBe(200);
  return codes.device_code;
}

test('an approved code opens a session within ten minutes of its creation, exclusive', async () => {
  const { key } = await accepted(inventory);
  const [last, late] = [await approvedAt(0, key), await approvedAt(0, key)];
  later(599);
  expect((await poll(inventory, last)).status).toBe(201);
  later(600);
  expect(reasonIn(await poll(inventory, late))).toBe('expired_token');
});

test('a device session ends with that of the person, and none begins at that end', async () => {
  const { key } = await accepted(inventory);
  const { body: first } = await poll(inventory, await approvedAt(0, key));
  const end = (Date.parse(first.expires_at) - testTime().getTime()) / 1000;
  const [last, late] = [await approvedAt(end - 60, key), await approvedAt(end - 60, key)];
  later(end - 1);
  const { status, body } = await poll(inventory, last);
  expect([status, body.expires_at]).toEqual([201, first.expires_at]);
  later(end);
  expect(reasonIn(await poll(inventory, late))).toBe('expired_token');
});

/** A new session of the account `admin`, which has no user id. */
async function adminKey(): Promise<string> {
  const Authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  return (await inventory.request('POST', '/v1/sessions', { as: null, headers: { Authorization } })).body.key;
}

test('a device that the account admin approves acts under its name, which is also its user id', async () => {
  const code = await approvedAt(0, await adminKey());
  const { status, body } = await poll(inventory, code);
  expect([status, body.user_id, body.name]).toEqual([201, 'admin', 'admin']);
  const admin = { kind: 'user', id: 'admin', name: 'admin' };
  const { body: audit } = await inventory.request('GET', `/v1/audit?object_id=${body.session_id}`);
  expect(audit.entries).toMatchObject([{ event: 'session.added', actor: admin }]);
  const stored = await readItem(inventory.table, sessionItemKey(hashApiKeySecret(body.key)));
  expect(stored).toMatchObject({ created_by: admin });
});

test('while the account admin is for emergencies, its device session ends after an hour', async () => {
  const device_code = await approvedAt(0, await adminKey());
  const attempt = { requestId: 'r', sourceIp: '192.0.2.1', now: testTime() };
  const dependencies = { ...inventory.dependencies, adminAccount: 'emergency' as const };
  const { expires_at: end } = await logInByDevice({ method: 'device', device_code }, attempt, dependencies);
  expect(end).toBe(testTime(3_600_000).toISOString());
});

test('a code that no device has, and one whose person was disabled since the approval, are refused as used ones are', async () => {
  const { user_name: name, key } = await accepted(inventory);
  const code = await approvedAt(0, key);
  const unknown = await poll(
    inventory,
    code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  );
  await inventory.request('PATCH', `/v1/users/${name}`, { body: { disabled: true } });
  const disabled = await poll(inventory, code);
  await inventory.request('PATCH', `/v1/users/${name}`, { body: { disabled: false } });
  const other = await approvedAt(0, (await accepted(inventory)).key);
  expect((await poll(inventory, other)).status).toBe(201);
  const used = await poll(inventory, other);
  for (const { status, body } of [unknown, disabled, used])
    expect([status, { ...body, request_id: '' }]).toEqual([401, { ...used.body, request_id: '' }]);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=sign_in.refused&page_size=100');
  expect(new Set(audit.entries.map(({ reason }: any) => reason))).toEqual(new Set(['invalid_device']));
});

test('unknown codes from one address are refused without a look-up after some in a minute', async () => {
  later(0);
  const answers = new Set<number>();
  for (let attempt = 0; attempt < 100 && !answers.has(429); attempt += 1) {
    const body = { method: 'device', device_code: `unknown-${attempt}` };
    answers.add((await inventory.request('POST', '/v1/logins', { as: null, body, sourceIp: '203.0.113.77' })).status);
  }
  expect([...answers]).toEqual([401, 429]);
});
