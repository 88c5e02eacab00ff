import { addKey, causeAt } from '../../../tests/support/credentials.ts';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { clear, disturbed, itemAt } from '../../../tests/support/table.ts';
import { isStillValid } from '../jobs/credential-check.ts';
import { ACCESS_EVENTS_PARTITION, apiKeyCounterKey, apiKeyItemKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { findApiKey, findById } from './api-keys.ts';
import { changeApiKey } from './change-api-key.ts';
import { removeApiKey } from './remove-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

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

test('former secrets that still work get the limit too, ended ones do not', async () => {
  const { key_id: id } = await addKey(table);
  await rotate(id, `${id} 2`);
  const at = (seconds: number) => causeAt(new Date(now.getTime() + seconds * 1000));
  await changeApiKey(table, id, { rate_limit_per_minute: 5 }, at(59));
  expect(await limits(id, `${id} 2`)).toEqual([5, 5]);
  await changeApiKey(table, id, { rate_limit_per_minute: 6 }, at(60));
  expect(await limits(id, `${id} 2`)).toEqual([5, 6]);
});

test('a simultaneous rotation gets the new limit too', async () => {
  const { key_id: id } = await addKey(table);
  await changeApiKey(
    disturbed(table, () => rotate(id, `${id} 2`)),
    id,
    { rate_limit_per_minute: 9 },
    cause,
  );
  expect(await limits(id, `${id} 2`)).toEqual([9, 9]);
});

test('a session has no limit that can change', async () => {
  const { key_id: id } = await addKey(table, { kind: 'session' });
  await expect(changeApiKey(table, id, { rate_limit_per_minute: 5 }, cause)).rejects.toMatchObject({
    kind: 'notFound',
  });
});

describe('a disabled key', () => {
  beforeEach(() => clear(table));
  afterEach(async () => expect(await checkInvariants(table)).toEqual([]));

  const disable = (id: string, more: object = {}, by = cause) =>
    changeApiKey(table, id, { disabled: true, ...more }, by);
  const enable = (id: string) => changeApiKey(table, id, { disabled: false }, cause);
  const keyWith = (hash: string) => findApiKey(table, hash);
  const end = now.getTime() / 1000 + 3600;
  const permanentAdmins = async () => (await itemAt(table, apiKeyCounterKey))!['permanent_admins'];

  test('keeps everything else, and has its end again when it is enabled', async () => {
    const key = await addKey(table, { role: 'Editor', owners: ['dba'], expires_at: end, rate_limit_per_minute: 5 });
    await disable(key.key_id);
    expect(await keyWith(key.key_id)).toEqual({ ...key, disabled: true });
    expect(await findById(table, key.key_id)).toMatchObject({ disabled: true, expires_at: end });
    // A version that does not know disabled keys, and each condition on the end, see a key that has expired.
    expect(await itemAt(table, apiKeyItemKey(key.key_id))).toMatchObject({ expires_at: 0 });
    await enable(key.key_id);
    expect(await keyWith(key.key_id)).toEqual(key);
  });

  test('can also get narrower owners and another limit in the same change', async () => {
    const { key_id: id } = await addKey(table, { role: 'Editor' });
    await disable(id, { owners: ['dba'], rate_limit_per_minute: 9 });
    expect(await keyWith(id)).toMatchObject({
      disabled: true,
      role: 'Editor',
      owners: ['dba'],
      rate_limit_per_minute: 9,
    });
  });

  test('has no working secret, and a rotation makes a disabled secret', async () => {
    const { key_id: id } = await addKey(table);
    await rotate(id, `${id} 2`);
    await disable(id);
    await rotate(id, `${id} 3`);
    const hashes = [id, `${id} 2`, `${id} 3`];
    const disabled = async () => Promise.all(hashes.map(async (hash) => (await keyWith(hash))!.disabled));
    expect(await disabled()).toEqual([true, true, true]);
    await enable(id);
    expect(await disabled()).toEqual([undefined, undefined, undefined]);
    expect(await keyWith(id)).toMatchObject({ superseded: true, expires_at: now.getTime() / 1000 + 60 });
  });

  test('gets a disabled secret from a simultaneous rotation', async () => {
    const { key_id: id } = await addKey(table);
    await changeApiKey(
      disturbed(table, () => rotate(id, `${id} 2`)),
      id,
      { disabled: true },
      cause,
    );
    expect([(await keyWith(id))!.disabled, (await keyWith(`${id} 2`))!.disabled]).toEqual([true, true]);
    const other = await addKey(table);
    const at = disturbed(table, () => disable(other.key_id));
    await rotateApiKey(at, other.key_id, {
      ...{ hash: `${other.key_id} 2`, prefix: 'p', overlapSeconds: 60 },
      ...{ cause, rotatedBy: 'admin' },
    });
    expect(await keyWith(`${other.key_id} 2`)).toMatchObject({ disabled: true });
  });

  test('is not written when the state stays', async () => {
    const { key_id: id } = await addKey(table);
    await enable(id);
    await disable(id);
    await disable(id);
    const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
    expect(events.filter(({ event }) => event === 'api_key.changed')).toMatchObject([{ after: { disabled: true } }]);
  });

  test('changes no credential within the cache time, nor its own mark', async () => {
    const { key_id: id } = await addKey(table, { role: 'Admin' });
    const other = await addKey(table);
    const actor = { kind: 'api_key', id, name: 'own' } as const;
    const by = causeAt(now, { actor, credential: { secret: { digest: id, keyId: id } } });
    await addKey(table, { role: 'Admin' });
    await disable(id);
    for (const keyId of [id, other.key_id])
      await expect(changeApiKey(table, keyId, { rate_limit_per_minute: 5, disabled: false }, by)).rejects.toMatchObject(
        {
          kind: 'unauthenticated',
        },
      );
  });

  test('ends the jobs that it started', async () => {
    const { key_id: id, name } = await addKey(table);
    const works = () => isStillValid(table, { kind: 'api_key', id, name }, { since: now.toISOString(), now });
    await disable(id);
    expect(await works()).toBe(false);
    await enable(id);
    expect(await works()).toBe(true);
  });

  test('is never the key of the caller', async () => {
    const { key_id: id } = await addKey(table);
    const actor = { kind: 'api_key', id, name: 'own' } as const;
    const by = causeAt(now, { actor, credential: { secret: { digest: id, keyId: id } } });
    await expect(disable(id, {}, by)).rejects.toMatchObject({ kind: 'failedPrecondition' });
    expect(await keyWith(id)).not.toHaveProperty('disabled');
  });

  test('is no Admin: without an account, a working permanent Admin key must remain', async () => {
    const [first, second] = [await addKey(table, { role: 'Admin' }), await addKey(table, { role: 'Admin' })];
    await disable(first.key_id);
    expect(await permanentAdmins()).toBe(1);
    await expect(disable(second.key_id)).rejects.toMatchObject({ kind: 'failedPrecondition' });
    await expect(removeApiKey(table, second.key_id, cause)).rejects.toMatchObject({ kind: 'failedPrecondition' });
    await enable(first.key_id);
    expect(await permanentAdmins()).toBe(2);
    await disable(second.key_id);
    await removeApiKey(table, second.key_id, cause);
    expect(await permanentAdmins()).toBe(1);
  });
});

describe('a caller with owners', () => {
  const team = causeAt(now, { limit: { label: 'team', owners: ['a', 'b'] } });
  const rate = (limit: number | null) => ({ rate_limit_per_minute: limit });

  test('changes only keys of its team', async () => {
    const ownKey = await addKey(table, { role: 'Editor', owners: ['a', 'b'], rate_limit_per_minute: 5 });
    const other = await addKey(table, { role: 'Editor', owners: ['c'], rate_limit_per_minute: 5 });
    for (const change of [rate(4), { owners: ['c'] }, { disabled: true }, {}])
      await expect(changeApiKey(table, other.key_id, change, team)).rejects.toMatchObject({ kind: 'notFound' });
    await changeApiKey(table, ownKey.key_id, { ...rate(4), owners: ['a'] }, team);
    expect(await findApiKey(table, ownKey.key_id)).toMatchObject({ ...rate(4), owners: ['a'] });
    expect(await findApiKey(table, other.key_id)).toEqual(other);
  });

  test('lowers a limit, and never raises or removes it, also after a simultaneous lowering', async () => {
    const { key_id: id } = await addKey(table, { role: 'Editor', owners: ['a'], rate_limit_per_minute: 5 });
    for (const limit of [6, null])
      await expect(changeApiKey(table, id, rate(limit), team)).rejects.toMatchObject({ kind: 'permissionDenied' });
    const during = () => changeApiKey(table, id, rate(2), cause);
    await expect(changeApiKey(disturbed(table, during), id, rate(4), team)).rejects.toMatchObject({
      kind: 'permissionDenied',
    });
    expect(await limits(id)).toEqual([2]);
  });
});

test('owners can only be narrowed, and the state of the key stays', async () => {
  const { key_id: id } = await addKey(table, { role: 'Editor', owners: ['a', 'b'], rate_limit_per_minute: 5 });
  await changeApiKey(table, id, { disabled: true }, cause);
  await changeApiKey(table, id, { owners: ['a'] }, cause);
  expect(await findApiKey(table, id)).toMatchObject({ owners: ['a'], disabled: true, rate_limit_per_minute: 5 });
  await expect(changeApiKey(table, id, { owners: ['a', 'b'] }, cause)).rejects.toMatchObject({
    kind: 'failedPrecondition',
  });
});

test('changing only the rate limit reads the key once, without its secrets or counters', async () => {
  const { key_id: id } = await addKey(table, { role: 'Admin', rate_limit_per_minute: 5 });
  const reads: string[] = [];
  const send = async (command: any) => {
    reads.push(command.constructor.name);
    return table.client.send(command);
  };
  await changeApiKey({ ...table, client: { send } as never }, id, { rate_limit_per_minute: 4 }, cause);
  expect(reads).toEqual(['GetCommand', 'TransactWriteCommand']);
});
