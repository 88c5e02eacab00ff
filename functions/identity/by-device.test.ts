import { answerWith, askForSession, poll, reasonIn } from '../../tests/support/devices.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { accepted } from '../../tests/support/users.ts';
import { useInventory } from '../../tests/support/fixtures.ts';

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
