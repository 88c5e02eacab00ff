import type { Table } from '../../../shared/db/table.ts';
import { addKey, causeAt } from '../../../tests/support/credentials.ts';
import { disturbed, startTable } from '../../../tests/support/table.ts';
import { ACCESS_EVENTS_PARTITION } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { findApiKey } from './api-keys.ts';
import { changeApiKey } from './change-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

const now = new Date('2026-05-01T10:00:00Z');
const cause = causeAt(now);

const rotate = (keyId: string, hash: string, at = now) =>
  rotateApiKey(table, keyId, {
    hash,
    prefix: 'p',
    overlapSeconds: 60,
    cause: causeAt(at),
    rotatedBy: 'admin',
  });
const limits = async (...hashes: readonly string[]) =>
  Promise.all(hashes.map(async (hash) => (await findApiKey(table, hash))?.rate_limit_per_minute));

test('the limit is set, changed and removed, with an event', async () => {
  const { key_id: id } = await addKey(table);
  for (const limit of [5, 7]) {
    await changeApiKey(table, id, { rate_limit_per_minute: limit }, cause);
    expect(await limits(id)).toEqual([limit]);
  }
  await changeApiKey(table, id, { rate_limit_per_minute: null }, cause);
  expect(await findApiKey(table, id)).not.toHaveProperty('rate_limit_per_minute');
  const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
  expect(events.filter(({ event }) => event === 'api_key.changed')).toHaveLength(3);
});

test('without a limit nothing changes, but the key must exist', async () => {
  const { key_id: id } = await addKey(table, { rate_limit_per_minute: 5 });
  await changeApiKey(table, id, { rate_limit_per_minute: undefined }, cause);
  expect(await limits(id)).toEqual([5]);
  await expect(changeApiKey(table, 'missing', { rate_limit_per_minute: undefined }, cause)).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('the previous secrets that still work get it too, those that have expired do not', async () => {
  const { key_id: id } = await addKey(table);
  await rotate(id, `${id} 2`);
  const at = (seconds: number) => causeAt(new Date(now.getTime() + seconds * 1000));
  await changeApiKey(table, id, { rate_limit_per_minute: 5 }, at(59));
  expect(await limits(id, `${id} 2`)).toEqual([5, 5]);
  await changeApiKey(table, id, { rate_limit_per_minute: 6 }, at(60));
  expect(await limits(id, `${id} 2`)).toEqual([5, 6]);
});

test('a rotation at the same moment gets the new limit too', async () => {
  const { key_id: id } = await addKey(table);
  await changeApiKey(
    disturbed(table, () => rotate(id, `${id} 2`)),
    id,
    { rate_limit_per_minute: 9 },
    cause,
  );
  expect(await limits(id, `${id} 2`)).toEqual([9, 9]);
});

test('a session has no limit to change', async () => {
  const { key_id: id } = await addKey(table, { kind: 'session' });
  await expect(changeApiKey(table, id, { rate_limit_per_minute: 5 }, cause)).rejects.toMatchObject({
    kind: 'notFound',
  });
});
