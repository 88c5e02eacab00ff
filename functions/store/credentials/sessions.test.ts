import { randomUUID } from 'node:crypto';
import { causeAt, apiKey, addKey } from '../../../tests/support/credentials.ts';
import { itemAt, putItem } from '../../../tests/support/table.ts';
import { MAX_SESSIONS } from '../../domain/access/session.ts';
import {
  ACCESS_EVENTS_PARTITION,
  OF_LOG_IN,
  sessionItemKey,
  SESSIONS_PARTITION,
  sessionSlotKey,
} from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { putAccount } from './accounts.ts';
import { findById, findSecret } from './api-keys.ts';
import { addSession, listSessions, removeSession, type Session, type SessionsOf } from './sessions.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const now = new Date('2026-05-01T10:00:00Z');
const SECONDS = now.getTime() / 1000;
const VERSION = '2026-05-01T09:00:00.000Z';
const LATER = '2026-05-01T09:30:00.000Z';
const at = (seconds: number) => causeAt(new Date(now.getTime() + seconds * 1000));

/** Opens a session of a user. */
async function open(user: string, more: Partial<Session> = {}, cause = at(0)): Promise<Session> {
  const session: Session = {
    ...apiKey({ role: 'Admin' }),
    ...{ kind: 'session', name: user, expires_at: SECONDS + 60, account_version: VERSION, source_ip: '192.0.2.7' },
    ...more,
  };
  await addSession(table, session, session.key_id, cause);
  return session;
}

const list = async (of: SessionsOf, seconds = 0, page: { size: number; after?: [string, string] } = { size: 1000 }) => {
  const { objects, next } = await listSessions(
    table,
    { of, now: new Date((SECONDS + seconds) * 1000) },
    { after: undefined, ...page },
  );
  return { ids: objects.map(({ key_id: id }) => id), next };
};
const idsOf = async (of: SessionsOf, seconds?: number) => (await list(of, seconds)).ids.sort();

test('a session is found like a key, listed, and deletable after its end', async () => {
  const user = randomUUID();
  const session = await open(user);
  expect(await findSecret(table, OF_LOG_IN, session.key_id)).toMatchObject({
    kind: 'session',
    name: user,
    account_version: VERSION,
  });
  expect(await findById(table, session.key_id, OF_LOG_IN)).toMatchObject({ kind: 'session', key_hash: session.key_id });
  expect((await itemAt(table, sessionItemKey(session.key_id)))?.['ttl']).toBe(SECONDS + 60);
  const { objects } = await listSessions(table, { of: { user }, now }, { size: 9, after: undefined });
  expect(objects).toEqual([session]);
  const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
  expect(events.filter(({ subject_id: id }) => id === session.key_id)).toMatchObject([{ event: 'session.added' }]);
});

test('lists the open sessions of the user, of everybody, or none', async () => {
  const [user, other] = [randomUUID(), randomUUID()];
  const mine = [await open(user), await open(user)].map(({ key_id: id }) => id);
  const theirs = await open(other);
  expect(await idsOf({ user })).toEqual([...mine].sort());
  expect(await idsOf('everybody')).toEqual(expect.arrayContaining([...mine, theirs.key_id]));
  expect(await idsOf('nobody')).toEqual([]);
  expect(await idsOf({ user }, 59)).toHaveLength(2);
  expect(await idsOf({ user }, 60)).toEqual([]);
});

test('a new password ends the sessions of the former one', async () => {
  const user = randomUUID();
  await open(user);
  const renewed = await open(user, { account_version: LATER });
  expect(await idsOf({ user })).toEqual([renewed.key_id]);
  const updated_at = '2026-05-01T09:45:00.000Z';
  await putAccount(table, { name: user, role: 'Admin', password_hash: 'x', created_at: updated_at, updated_at });
  expect(await idsOf({ user })).toEqual([]);
});

test('a page continues after the former one, and the last page has no token', async () => {
  const user = randomUUID();
  for (let index = 0; index < 3; index += 1) await open(user);
  const all = (await list({ user })).ids;
  const first = await list({ user }, 0, { size: 2 });
  const second = await list({ user }, 0, { size: 1, after: first.next! });
  expect([...first.ids, ...second.ids]).toEqual(all);
  expect([first.ids.length, second.next]).toEqual([2, undefined]);
});

test('a user has at most 100 sessions, and ended or outdated ones free their slot', async () => {
  expect(MAX_SESSIONS).toBe(100);
  const user = randomUUID();
  const slot = (number: number, more: object = {}) =>
    putItem(table, {
      ...sessionSlotKey(user, String(number).padStart(2, '0')),
      ...{ user_name: user, session_id: `s${number}`, key_hash: `h${number}` },
      ...{ expires_at: SECONDS + 60, account_version: VERSION, ...more },
    });
  for (let number = 0; number < 99; number += 1) await slot(number);
  await open(user);
  await expect(open(user)).rejects.toMatchObject({ kind: 'resourceExhausted' });
  await slot(7, { expires_at: SECONDS + 1 });
  await expect(open(user)).rejects.toMatchObject({ kind: 'resourceExhausted' });
  await slot(7, { expires_at: SECONDS });
  const inEnded = await open(user);
  expect(await itemAt(table, sessionSlotKey(user, '07'))).toMatchObject({ session_id: inEnded.key_id });
  await slot(0, { account_version: '2026-05-01T08:59:59.999Z' });
  const inOlder = await open(user);
  expect(await itemAt(table, sessionSlotKey(user, '00'))).toMatchObject({ session_id: inOlder.key_id });
});

describe('ending a session', () => {
  const end = (id: string, of: SessionsOf = 'everybody', cause = at(0)) => removeSession(table, id, { of, cause });

  test('removes it entirely, once', async () => {
    const user = randomUUID();
    const { key_id: id } = await open(user);
    expect(await end(id)).toBe(true);
    expect([
      await findSecret(table, OF_LOG_IN, id),
      await findById(table, id, OF_LOG_IN),
      await idsOf({ user }),
    ]).toEqual([undefined, undefined, []]);
    const rows = await readCollection(table, SESSIONS_PARTITION, user);
    expect(rows).toEqual([]);
    expect(await end(id)).toBe(false);
    const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
    expect(
      events
        .filter(({ subject_id: of }) => of === id)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['session.added', 'session.removed']);
  });

  test("is limited to the caller's own user, unless all users are allowed", async () => {
    const user = randomUUID();
    const { key_id: id } = await open(user);
    expect([await end(id, 'nobody'), await end(id, { user: 'other' })]).toEqual([false, false]);
    expect(await idsOf({ user })).toEqual([id]);
    expect(await end(id, { user })).toBe(true);
  });

  test('finds no expired session, no key, and no session whose slot is taken', async () => {
    const user = randomUUID();
    const { key_id: expired } = await open(user);
    expect(await end(expired, 'everybody', at(60))).toBe(false);
    expect(await end(expired, 'everybody', at(59))).toBe(true);
    const key = await addKey(table);
    expect(await end(key.key_id)).toBe(false);
    const { key_id: id } = await open(user);
    const [row] = await readCollection(table, SESSIONS_PARTITION, user);
    await putItem(table, { ...row, session_id: 'another' });
    expect(await end(id)).toBe(false);
    expect(await findSecret(table, OF_LOG_IN, id)).toBeDefined();
  });
});
