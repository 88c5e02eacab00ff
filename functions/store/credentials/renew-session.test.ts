import { randomUUID } from 'node:crypto';
import { apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { itemAt } from '../../../tests/support/table.ts';
import { ACCESS_EVENTS_PARTITION, OF_LOG_IN, sessionItemKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { findById, findSecret } from './api-keys.ts';
import {
  findRenewal,
  findSessionOfSecret,
  leaveRenewal,
  type NextSecret,
  renewalStep,
  replaceSecret,
  takeRenewal,
} from './renew-session.ts';
import { addSession, removeSession, type Session } from './sessions.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const START = new Date('2026-05-01T10:00:00Z');
const SECONDS = START.getTime() / 1000;
const END = SECONDS + 9 * 3600;
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);

/** A session whose first secret has the given digest and works for a minute. */
async function open(hash: string, more: Partial<Session> = {}): Promise<Session> {
  const session: Session = {
    ...apiKey({ role: 'Admin' }),
    ...{ kind: 'session', expires_at: SECONDS + 60, account_version: 'v1', source_ip: '192.0.2.7' },
    ...{ provider: 'company', bindings: ['operators'], rests_on: { operators: '1' } },
    ...more,
  };
  const renewal = renewalStep({ session_id: session.key_id, key_hash: hash, sealed: 's' }, END);
  await addSession(table, session, hash, causeAt(START), [renewal]);
  return session;
}

/** Replaces the secret by one that works for a minute after that. */
async function renew(previousHash: string, hash: string, seconds: number, more: Partial<NextSecret> = {}) {
  const session = (await findSessionOfSecret(table, previousHash))!;
  const { role, owners, bindings, rests_on: restsOn } = session;
  const next = { session, secret: `minv_${hash}`, hash, previousHash, salt: 'salt', sealed: `sealed by ${hash}` };
  const rights = { role, owners, bindings, restsOn };
  return replaceSecret(
    table,
    { ...next, ...rights, expiresAt: SECONDS + seconds + 60, sessionEnd: END, ...more },
    causeAt(at(seconds)),
  );
}

const hashes = (count: number) => Array.from({ length: count }, () => randomUUID()) as [string, string, string];

test('the new secret works, and the former one until its own end, superseded', async () => {
  const [first, second] = hashes(2);
  const { key_id: id, name } = await open(first);
  expect(await renew(first, second, 30)).toMatchObject({ key_id: id, name, expires_at: SECONDS + 90 });
  expect(await findSecret(table, OF_LOG_IN, second)).toMatchObject({
    key_id: id,
    role: 'Admin',
    expires_at: SECONDS + 90,
  });
  expect(await findSecret(table, OF_LOG_IN, first)).toMatchObject({
    ...{ key_id: id, expires_at: SECONDS + 60 },
    ...{ superseded: true, superseded_by: 'key', successor_hash: second },
  });
  expect(await findById(table, id, OF_LOG_IN)).toMatchObject({
    key_hash: second,
    previous: [{ key_hash: first, expires_at: SECONDS + 60 }],
  });
  expect(await findRenewal(table, id)).toEqual({
    ...{ session_id: id, key_hash: second, sealed: `sealed by ${second}`, renewed_from: first, salt: 'salt' },
  });
});

test('a session names only former secrets that still work', async () => {
  const [first, second, third] = hashes(3);
  const { key_id: id } = await open(first);
  const previous = async () => (await findById(table, id, OF_LOG_IN))?.previous?.map(({ key_hash: hash }) => hash);
  await renew(first, second, 30);
  await renew(second, third, 59);
  expect(await previous()).toEqual([first, second]);
  await renew(third, randomUUID(), 60);
  expect(await previous()).toEqual([second, third]);
});

test('ending a session ends its secret and the former ones', async () => {
  const [first, second] = hashes(2);
  const { key_id: id } = await open(first);
  await renew(first, second, 30);
  expect(await removeSession(table, id, { of: 'everybody', cause: causeAt(at(31)) })).toBe(true);
  for (const hash of [first, second]) expect(await itemAt(table, sessionItemKey(hash))).toBeUndefined();
  expect(await findRenewal(table, id)).toBeUndefined();
});

test('an ended session is not renewed', async () => {
  const [first, second] = hashes(2);
  const { key_id: id } = await open(first);
  const session = (await findSessionOfSecret(table, first))!;
  await removeSession(table, id, { of: 'everybody', cause: causeAt(START) });
  await expect(
    replaceSecret(
      table,
      {
        ...{ session, secret: 'minv_x', hash: second, previousHash: first, salt: 's', sealed: 's', role: 'Admin' },
        ...{ owners: undefined, bindings: undefined, restsOn: undefined, expiresAt: SECONDS + 90, sessionEnd: END },
      },
      causeAt(at(30)),
    ),
  ).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(await findSecret(table, OF_LOG_IN, second)).toBeUndefined();
});

test("a renewed session has the person's present rights, and the audit contains their change", async () => {
  const [first, second, third] = hashes(3);
  const { key_id: id } = await open(first);
  const changes = async () =>
    (await readCollection(table, ACCESS_EVENTS_PARTITION)).filter(
      (event) => event['subject_id'] === id && event['event'] === 'session.changed',
    );
  await renew(first, second, 10);
  expect(await changes()).toEqual([]);
  const rights = { role: 'Editor', owners: ['dba'], bindings: undefined, restsOn: { editors: '7' } } as const;
  await renew(second, third, 20, { ...rights, owners: ['dba'], after: { role: 'Editor', owners: ['dba'] } });
  const renewed = await findSessionOfSecret(table, third);
  expect(renewed).toMatchObject({ role: 'Editor', owners: ['dba'], rests_on: { editors: '7' } });
  expect(renewed).not.toHaveProperty('bindings');
  expect(await changes()).toMatchObject([{ after: { role: 'Editor', owners: ['dba'] } }]);
});

describe('the lease of a renewal', () => {
  test('belongs to one request for 15 seconds, unless that request returns it', async () => {
    const [first] = hashes(1);
    const { key_id: id } = await open(first);
    const renewal = (await findRenewal(table, id))!;
    expect(await takeRenewal(table, renewal, at(0))).toBe(true);
    expect(await takeRenewal(table, renewal, at(14))).toBe(false);
    expect(await takeRenewal(table, renewal, at(15))).toBe(true);
    await leaveRenewal(table, renewal);
    expect(await takeRenewal(table, renewal, at(16))).toBe(true);
  });

  test('is not given for a secret that was replaced at the same time', async () => {
    const [first, second] = hashes(2);
    const { key_id: id } = await open(first);
    const renewal = (await findRenewal(table, id))!;
    await renew(first, second, 1);
    expect(await takeRenewal(table, renewal, at(2))).toBe(false);
    const next = (await findRenewal(table, id))!;
    expect(await takeRenewal(table, next, at(2))).toBe(true);
    // The request of the old secret cannot give back the lease of the new one.
    await leaveRenewal(table, renewal);
    expect(await takeRenewal(table, next, at(3))).toBe(false);
  });
});
