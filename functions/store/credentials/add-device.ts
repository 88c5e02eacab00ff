import { ABSENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Item } from '../../../shared/db/table.ts';
import { TTL_ATTRIBUTE, userCodeKey } from '../table/keys.ts';
import { type Device, deviceItem } from './devices.ts';

/** A repetition of the same request draws other codes. */
const addition = (put: Item) => ({
  put,
  condition: ABSENT,
  onConditionFailed: () => new ApiError('unavailable', 'This code is in use. Ask for another one.'),
});

/**
 * Adds a device with its user code. No caller has a credential here, and no credential changes. One transaction.
 *
 * @throws ApiError `unavailable` if another device has the user code.
 */
export async function addDevice(table: Table, device: Device): Promise<void> {
  const { code_hash, user_code_hash, expires_at } = device;
  const steps = [
    addition(deviceItem(device)),
    addition({ ...userCodeKey(user_code_hash), code_hash, [TTL_ATTRIBUTE]: expires_at }),
  ];
  await retryOnContention(table, () => transact(table, steps));
}
