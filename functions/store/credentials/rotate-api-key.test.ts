import type { Table } from '../../../shared/db/table.ts';
import { SupersededSecret } from '../../contract/refusal.ts';
import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { disturbed, itemAt, putItem } from '../../../tests/support/table.ts';
import { ACCESS_EVENTS_PARTITION, apiKeyItemKey, savedFilterKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { recordUse } from './api-key-use.ts';
import { findApiKey, findById } from './api-keys.ts';
import { findByName } from './named-keys.ts';
import { changeApiKey } from './change-api-key.ts';
import { filtersOfKey } from './own-filters.ts';
import { removeApiKey } from './remove-api-key.ts';
import { type Rotation, rotateApiKey } from './rotate-api-key.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const START = Date.parse('2026-05-01T10:00:00Z');
const SECONDS = START / 1000;
const HOUR = 3600;
const after = (seconds: number) => new Date(START + seconds * 1000);
const created_at = after(0).toISOString();

/** Rotates a key as an Admin, or as the key itself with the secret that has this hash. */
function rotate(
  keyId: string,
  hash: string,
  {
    at = table,
    seconds = 0,
    callerSecret,
    ...more
  }: Partial<Rotation> & { at?: Table; seconds?: number; callerSecret?: string } = {},
) {
  const now = after(seconds);
  const cause =
    callerSecret === undefined
      ? causeAt(now)
      : causeAt(now, {
          actor: { kind: 'api_key', id: keyId, name: 'k' },
          credential: { secret: { digest: callerSecret, keyId } },
        });
  const rotatedBy = callerSecret === undefined ? 'admin' : 'key';
  return rotateApiKey(at, keyId, {
    hash,
    prefix: `prefix of ${hash}`,
    overlapSeconds: HOUR,
    cause,
    rotatedBy,
    ...more,
  });
}

const add = async (more: object = {}) => {
  const { key_id: id } = await addKey(table, { created_at, ...more }, after(0));
  return { id, second: `${id} 2`, third: `${id} 3`, fourth: `${id} 4` };
};
const find = (hash: string) => findApiKey(table, hash);
const useOf = (hash: string, newest = hash, seconds = 0) => ({
  key: apiKey({ key_id: hash }),
  hash,
  newest,
  nowSeconds: SECONDS + seconds,
  sourceIp: `10.0.0.${seconds}`,
});

describe('a rotation keeps the last use of the former secrets', () => {
  test('without an overlap, and after the next rotation', async () => {
    const { id, second, third } = await add();
    await recordUse(table, useOf(id, id, 5));
    const key = await rotate(id, second, { overlapSeconds: 0, seconds: 10 });
    expect(key).toMatchObject({ former_last_used_at: SECONDS + 5, former_last_used_from: '10.0.0.5' });
    expect(key).not.toHaveProperty('last_used_at');
    expect(key).not.toHaveProperty('last_used_from');
    expect(await rotate(id, third, { seconds: 20 })).toMatchObject({ former_last_used_at: SECONDS + 5 });
  });

  test('with a use of a former secret during the overlap as the last one', async () => {
    const { id, second, third } = await add();
    await recordUse(table, useOf(id, id, 5));
    await rotate(id, second, { seconds: 10 });
    await recordUse(table, { ...useOf(id, second), nowSeconds: SECONDS + 600, sourceIp: '10.9.9.9' });
    expect(await find(second)).toMatchObject({
      former_last_used_at: SECONDS + 600,
      former_last_used_from: '10.9.9.9',
    });
    expect(await find(second)).not.toHaveProperty('last_used_at');
    const next = await rotate(id, third, { seconds: 700 });
    expect(next).toMatchObject({ former_last_used_at: SECONDS + 600, former_last_used_from: '10.9.9.9' });
  });

  test('with a use that is recorded between the read and the write', async () => {
    const { id, second } = await add();
    let isUsed = false;
    const at = disturbed(table, async () => {
      if (isUsed) return;
      isUsed = true;
      await recordUse(table, useOf(id, id, 5));
    });
    await rotate(id, second, { at, overlapSeconds: 0, seconds: 10 });
    expect(await find(second)).toMatchObject({ former_last_used_at: SECONDS + 5 });
  });
});

test('the new secret is the newest, and the former one works until the end of the overlap', async () => {
  const { id, second } = await add({ role: 'Editor', rate_limit_per_minute: 5, last_used_at: 7 });
  const key = await rotate(id, second, { seconds: 10 });
  expect(key).toMatchObject({
    ...{ key_id: id, role: 'Editor', rate_limit_per_minute: 5, prefix: `prefix of ${second}` },
    ...{ rotated_at: after(10).toISOString(), previous_expires_at: SECONDS + 10 + HOUR },
  });
  expect(await find(second)).toEqual(key);
  expect(key).not.toHaveProperty('last_used_at');
  expect(await find(id)).toMatchObject({
    ...{ expires_at: SECONDS + 10 + HOUR, superseded: true, superseded_by: 'admin', successor_hash: second },
  });
  expect((await itemAt(table, apiKeyItemKey(id)))?.['ttl']).toBe(SECONDS + 10 + HOUR);
  expect(await findById(table, id)).toMatchObject({
    key_hash: second,
    previous: [{ key_hash: id, expires_at: SECONDS + 10 + HOUR }],
  });
  expect((await findByName(table, key.name))?.key_hash).toBe(second);
  const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
  expect(events.find(({ event, subject_id: of }) => event === 'api_key.rotated' && of === id)?.['after']).toMatchObject(
    {
      ...{ rotated_by: 'admin', prefix: `prefix of ${second}`, superseded_prefix: 'minv_aB3x' },
    },
  );
});

test('without an overlap all former secrets end at once', async () => {
  const { id, second, third } = await add();
  await rotate(id, second);
  const key = await rotate(id, third, { overlapSeconds: 0 });
  expect([await find(id), await find(second)]).toEqual([undefined, undefined]);
  expect(key).not.toHaveProperty('previous_expires_at');
  expect(await findById(table, id)).not.toHaveProperty('previous');
});

test('the former secret does not work beyond its own end', async () => {
  const { id, second } = await add({ expires_at: SECONDS + 60 });
  expect(await rotate(id, second)).toMatchObject({ previous_expires_at: SECONDS + 60 });
});

test('a rotation by an Admin restarts the lifetime, by the key itself keeps its end', async () => {
  const byAdmin = await add({ expires_at: SECONDS + 100 });
  const renewed = await rotate(byAdmin.id, byAdmin.second, { seconds: 40 });
  expect(renewed).toMatchObject({ expires_at: SECONDS + 140, renewed_at: after(40).toISOString() });
  expect(await rotate(byAdmin.id, byAdmin.third, { seconds: 50 })).toMatchObject({ expires_at: SECONDS + 150 });
  const byKey = await add({ expires_at: SECONDS + 100 });
  const callerSecret = await rotate(byKey.id, byKey.second, { seconds: 40, callerSecret: byKey.id });
  expect(callerSecret).toMatchObject({ expires_at: SECONDS + 100, first_use_counts: true });
  expect(callerSecret).not.toHaveProperty('renewed_at');
  expect(renewed).not.toHaveProperty('first_use_counts');
});

test('an expired key, a missing key and a session cannot be rotated', async () => {
  const { id, second } = await add({ expires_at: SECONDS + 10 });
  await expect(rotate(id, second, { seconds: 10 })).rejects.toMatchObject({ kind: 'failedPrecondition' });
  await expect(rotate(id, second, { seconds: 9.999 })).resolves.toBeDefined();
  await expect(rotate('missing', 'x')).rejects.toMatchObject({ kind: 'notFound' });
  await expect(rotate('missing', 'x', { callerSecret: 'missing' })).rejects.toMatchObject({ kind: 'unauthenticated' });
  const session = await add({ kind: 'session' });
  await expect(rotate(session.id, 'x')).rejects.toMatchObject({ kind: 'notFound' });
});

test('up to four former secrets work beside the newest, not counting ended ones', async () => {
  const { id } = await add();
  for (let index = 0; index < 4; index += 1) await rotate(id, `${id} n${index}`, { seconds: index });
  await expect(rotate(id, `${id} n4`, { seconds: HOUR - 1 })).rejects.toMatchObject({ kind: 'failedPrecondition' });
  await rotate(id, `${id} n4`, { seconds: HOUR });
  expect((await findById(table, id))?.previous).toHaveLength(4);
});

test('a repeated rotation after a lost reply returns the same key', async () => {
  const { id, second } = await add();
  const key = await rotate(id, second);
  expect(await rotate(id, second)).toEqual(key);
  expect((await findById(table, id))?.previous).toHaveLength(1);
});

test('a simultaneous rotation or rate limit change is read again', async () => {
  const { id, second, third } = await add();
  await rotate(id, third, { at: disturbed(table, () => rotate(id, second)) });
  expect(await findById(table, id)).toMatchObject({
    key_hash: third,
    previous: [{ key_hash: id }, { key_hash: second }],
  });
  const limited = await add();
  const at = disturbed(table, () => changeApiKey(table, limited.id, { rate_limit_per_minute: 9 }, causeAt(after(0))));
  expect(await rotate(limited.id, limited.second, { at })).toMatchObject({ rate_limit_per_minute: 9 });
});

describe('a repeated rotation by the superseded secret itself', () => {
  const rotated = async (more: object = {}) => {
    const ids = await add(more);
    await rotate(ids.id, ids.second, { callerSecret: ids.id });
    return ids;
  };

  test('makes another secret, which ends together with the superseded one', async () => {
    const { id, second, third } = await rotated();
    const key = await rotate(id, third, { callerSecret: id, seconds: 60 });
    expect(key).toMatchObject({ prefix: `prefix of ${third}`, expires_at: SECONDS + HOUR, superseded: true });
    expect(await find(third)).toMatchObject({ expires_at: SECONDS + HOUR, first_use_counts: true });
    expect((await itemAt(table, apiKeyItemKey(third)))?.['ttl']).toBe(SECONDS + HOUR);
    // The newest secret and the name stay.
    expect(await findById(table, id)).toMatchObject({
      key_hash: second,
      previous: [{ key_hash: id }, { key_hash: third, repeats: id }],
    });
  });

  test('twice ends the secret of the lost repetition', async () => {
    const { id, third, fourth } = await rotated();
    await rotate(id, third, { callerSecret: id });
    await rotate(id, fourth, { callerSecret: id });
    expect(await find(third)).toBeUndefined();
    expect(await find(fourth)).toBeDefined();
  });

  test('is refused after a use of the newest or of the repeated secret', async () => {
    const newest = await rotated();
    await recordUse(table, useOf(newest.second));
    await expect(rotate(newest.id, newest.third, { callerSecret: newest.id })).rejects.toBeInstanceOf(SupersededSecret);
    const repeated = await rotated();
    await rotate(repeated.id, repeated.third, { callerSecret: repeated.id });
    await recordUse(table, useOf(repeated.third, repeated.second));
    await expect(rotate(repeated.id, repeated.fourth, { callerSecret: repeated.id })).rejects.toBeInstanceOf(
      SupersededSecret,
    );
  });

  test('is refused after a rotation by an Admin, or another rotation', async () => {
    const byAdmin = await add();
    await rotate(byAdmin.id, byAdmin.second);
    await expect(rotate(byAdmin.id, byAdmin.third, { callerSecret: byAdmin.id })).rejects.toBeInstanceOf(
      SupersededSecret,
    );
    const again = await rotated();
    await rotate(again.id, again.third, { callerSecret: again.second });
    await expect(rotate(again.id, again.fourth, { callerSecret: again.id })).rejects.toBeInstanceOf(SupersededSecret);
  });

  test('is refused while four former secrets work', async () => {
    const { id } = await add();
    const hashes = [id, ...[0, 1, 2, 3].map((index) => `${id} n${index}`)];
    for (const [index, hash] of hashes.slice(1).entries()) await rotate(id, hash, { callerSecret: hashes[index]! });
    await expect(rotate(id, `${id} again`, { callerSecret: hashes[3]! })).rejects.toMatchObject({
      kind: 'failedPrecondition',
    });
  });

  test('is refused without an overlap, and after the end of the superseded secret', async () => {
    const { id, third } = await rotated();
    await expect(rotate(id, third, { callerSecret: id, overlapSeconds: 0 })).rejects.toBeInstanceOf(SupersededSecret);
    await expect(rotate(id, third, { callerSecret: id, seconds: HOUR })).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
    await expect(rotate(id, third, { callerSecret: id, seconds: HOUR - 1 })).resolves.toBeDefined();
    await expect(rotate(id, third, { callerSecret: 'another secret' })).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
  });

  test('ends with all secrets when the key is removed', async () => {
    const { id, second, third } = await rotated();
    await rotate(id, third, { callerSecret: id });
    await removeApiKey(table, id, causeAt(after(0)));
    expect(await Promise.all([id, second, third].map(find))).toEqual([undefined, undefined, undefined]);
  });
});

test("a key's private filters live to its new end, and a key that rotates itself keeps its end", async () => {
  const { key_id: id } = await addKey(table, { created_at, expires_at: SECONDS + 10 * HOUR });
  const filter = savedFilterKey(filtersOfKey(id), 'nodes', 'f');
  await putItem(table, { ...filter, [TTL_ATTRIBUTE]: SECONDS + 10 * HOUR });
  const end = async () => (await itemAt(table, filter))![TTL_ATTRIBUTE];
  await rotate(id, `${id} 2`, { seconds: HOUR, callerSecret: id });
  expect(await end()).toBe(SECONDS + 10 * HOUR);
  await rotate(id, `${id} 3`, { seconds: 2 * HOUR });
  expect(await end()).toBe(SECONDS + 12 * HOUR);
});
