import { transact } from '../../../shared/db/transact.ts';
import { apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, itemAt } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { ACCESS_EVENTS_PARTITION, deviceKey, TTL_ATTRIBUTE, userCodeKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { addDevice } from './add-device.ts';
import {
  answerDevice,
  type Approver,
  consumeDeviceSteps,
  type Device,
  findDevice,
  findDeviceOfUserCode,
} from './devices.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
beforeEach(() => clear(table));

const now = testTime();
const SECONDS = now.getTime() / 1000;
const cause = causeAt(now);
const answered = () => new Error('answered');

async function add(more: Partial<Device> = {}): Promise<Device> {
  const device: Device = {
    ...{ code_hash: '0123456789abcdef0123', user_code_hash: 'u', client_name: 'a program', source_ip: '192.0.2.7' },
    ...{ requested_at: now.toISOString(), expires_at: SECONDS + 60, state: 'pending', ...more },
  };
  await addDevice(table, device);
  return device;
}

const approver: Approver = {
  ...{ name: 'ann', user_id: 'ann', account_version: 'v', role: 'Editor', owners: ['a'], ends_at: SECONDS + 600 },
};

const consume = (device: Device) =>
  transact(
    table,
    consumeDeviceSteps(device, () => new Error('consumed')),
  );

test('a device is found by both codes until its end, and deleted afterwards', async () => {
  const device = await add();
  expect(await findDevice(table, device.code_hash)).toEqual(device);
  expect(await findDeviceOfUserCode(table, 'u', now)).toEqual(device);
  expect(await findDeviceOfUserCode(table, 'u', new Date((SECONDS + 59) * 1000))).toEqual(device);
  expect(await findDeviceOfUserCode(table, 'u', new Date((SECONDS + 60) * 1000))).toBeUndefined();
  expect([await findDevice(table, 'x'), await findDeviceOfUserCode(table, 'x', now)]).toEqual([undefined, undefined]);
  for (const key of [deviceKey(device.code_hash), userCodeKey('u')])
    expect((await itemAt(table, key))![TTL_ATTRIBUTE]).toBe(device.expires_at);
});

test('a user code of another device is refused, and nothing is added', async () => {
  await add();
  await expect(add({ code_hash: 'other' })).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await findDevice(table, 'other')).toBeUndefined();
});

test('one answer takes effect: the event of an approval contains the rights, that of a denial none', async () => {
  const device = await add();
  const approved = await answerDevice(table, { device, approver, onAnswered: answered }, cause);
  expect(approved).toEqual({ ...device, state: 'approved', approver });
  expect(await findDevice(table, device.code_hash)).toEqual(approved);
  await expect(answerDevice(table, { device, approver: undefined, onAnswered: answered }, cause)).rejects.toThrow(
    'answered',
  );
  const other = await add({ code_hash: 'x', user_code_hash: 'x' });
  const denied = await answerDevice(table, { device: other, approver: undefined, onAnswered: answered }, cause);
  expect(denied).toEqual({ ...other, state: 'denied' });
  const events = (await readCollection(table, ACCESS_EVENTS_PARTITION)).map(({ event, subject_id, after }) => [
    ...[event, subject_id, after],
  ]);
  expect(events).toHaveLength(2);
  const expires_at = new Date((SECONDS + 600) * 1000).toISOString();
  const rights = { device_ip: '192.0.2.7', role: 'Editor', owners: ['a'], expires_at };
  expect(events).toContainEqual(['device.approved', '0123456789abcdef', rights]);
  expect(events).toContainEqual(['device.denied', 'x', { device_ip: '192.0.2.7' }]);
});

test('a person with an ended session cannot answer', async () => {
  const device = await add();
  const { key_id: id, name } = apiKey();
  const by = causeAt(now, { actor: { kind: 'session', id, name }, credential: { secret: { digest: id, keyId: id } } });
  const answer = answerDevice(table, { device, approver, onAnswered: answered }, by);
  await expect(answer).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(await findDevice(table, device.code_hash)).toEqual(device);
});

test('an approved device is consumed once, with its user code; an unapproved one is not', async () => {
  const device = await add();
  await expect(consume(device)).rejects.toThrow('consumed');
  await answerDevice(table, { device, approver, onAnswered: answered }, cause);
  await consume(device);
  expect([await itemAt(table, deviceKey(device.code_hash)), await itemAt(table, userCodeKey('u'))]).toEqual([
    ...[undefined, undefined],
  ]);
  await expect(consume(device)).rejects.toThrow('consumed');
});
