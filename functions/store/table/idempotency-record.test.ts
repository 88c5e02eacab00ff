import { StaleRead } from '../../../shared/db/contention.ts';
import { transact } from '../../../shared/db/transact.ts';
import { idempotencyItem, RepeatedRequest, writtenBefore } from './idempotency-record.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const START = Date.parse('2026-05-01T10:00:00Z');
const DAY = 24 * 60 * 60;
const after = (seconds: number) => new Date(START + seconds * 1000);
const request = { callerId: 'caller', keyHash: 'key', requestHash: 'request' };

const write = async (idempotency: typeof request, object: object, now: Date) =>
  transact(table, [idempotencyItem({ idempotency, now }, { ...object })]).catch((error: unknown) => error);

test('the first request is recorded, and a repetition is refused with the stored result', async () => {
  const idempotency = { ...request, keyHash: 'repeated' };
  expect(await writtenBefore(table, { idempotency, now: after(0) })).toBeUndefined();
  expect(await write(idempotency, { id: 'first' }, after(0))).toBeUndefined();
  const refused = await write(idempotency, { id: 'second' }, after(1));
  expect(refused).toBeInstanceOf(RepeatedRequest);
  expect(refused).toMatchObject({ kept: { id: 'first' } });
  expect(await writtenBefore(table, { idempotency, now: after(1) })).toEqual({ id: 'first' });
});

test('the same key with another request is refused', async () => {
  const idempotency = { ...request, keyHash: 'other' };
  await write(idempotency, { id: 'first' }, after(0));
  const other = { ...idempotency, requestHash: 'another' };
  const reused = { kind: 'idempotencyKeyReused', httpStatus: 422 };
  expect(await write(other, {}, after(1))).toMatchObject(reused);
  await expect(writtenBefore(table, { idempotency: other, now: after(1) })).rejects.toMatchObject(reused);
});

test('the same key of another caller is another key', async () => {
  const idempotency = { ...request, keyHash: 'shared' };
  await write(idempotency, { id: 'first' }, after(0));
  const other = { ...idempotency, callerId: 'somebody' };
  expect(await writtenBefore(table, { idempotency: other, now: after(1) })).toBeUndefined();
  expect(await write(other, { id: 'second' }, after(1))).toBeUndefined();
});

test('the record is valid for 24 hours, to the second', async () => {
  const idempotency = { ...request, keyHash: 'expiry' };
  expect(idempotencyItem({ idempotency, now: after(0.001) }, {})).toMatchObject({
    put: { ttl: START / 1000 + 1 + DAY },
  });
  await write(idempotency, { id: 'first' }, after(0));
  expect(await writtenBefore(table, { idempotency, now: after(DAY - 1) })).toEqual({ id: 'first' });
  expect(await write(idempotency, { id: 'second' }, after(DAY - 1))).toBeInstanceOf(RepeatedRequest);
  expect(await writtenBefore(table, { idempotency, now: after(DAY) })).toBeUndefined();
  expect(await write(idempotency, { id: 'third' }, after(DAY))).toBeUndefined();
  expect(await writtenBefore(table, { idempotency, now: after(DAY + 1) })).toEqual({ id: 'third' });
});

test('a record that is deleted at the moment of the refusal is a stale read', () => {
  const step = idempotencyItem({ idempotency: request, now: after(0) }, {});
  expect(step.onConditionFailed?.(undefined)).toBeInstanceOf(StaleRead);
});
