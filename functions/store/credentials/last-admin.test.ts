import { ApiError } from '../../../shared/core/errors.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { apiKey } from '../../../tests/support/credentials.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import type { ApiKeyRecord } from './api-keys.ts';
import { endKey } from './last-admin.ts';

const now = testTime();
const SECONDS = now.getTime() / 1000;

/** Ends a key. @returns the attempts: the number of steps, and whether another permanent Admin key must remain. */
async function attemptsFor(key: Partial<ApiKeyRecord>, hasAccount: boolean): Promise<[number, boolean][]> {
  const attempts: [number, boolean][] = [];
  await endKey({ ...apiKey({ role: 'Admin' }), key_hash: 'h', ...key }, now, (steps, needsOther) => {
    attempts.push([steps.length, needsOther]);
    const [check] = steps as (TransactItem & { onConditionFailed: () => Error })[];
    return check === undefined || hasAccount ? Promise.resolve() : Promise.reject(check.onConditionFailed());
  });
  return attempts;
}

test('removing an Admin key requires that the account exists, or that another permanent one remains', async () => {
  expect(await attemptsFor({}, true)).toEqual([[1, false]]);
  expect(await attemptsFor({}, false)).toEqual([
    [1, false],
    [0, true],
  ]);
  expect(await attemptsFor({ expires_at: SECONDS + 1 }, false)).toHaveLength(2);
});

test.each<[string, Partial<ApiKeyRecord>]>([
  ['of another role', { role: 'Editor' }],
  ['that is disabled', { disabled: true }],
  ['that has ended', { expires_at: SECONDS }],
])('a key %s ends without a condition', async (_, key) => {
  expect(await attemptsFor(key, false)).toEqual([[0, false]]);
});

test('another error of the transaction is the error of the call', async () => {
  const refused = new ApiError('unauthenticated', 'ended');
  const write = () => Promise.reject(refused);
  await expect(endKey({ ...apiKey({ role: 'Admin' }), key_hash: 'h' }, now, write)).rejects.toBe(refused);
});
