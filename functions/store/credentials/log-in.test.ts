import { apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { ACCESS_EVENTS_PARTITION } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { findSecret } from './api-keys.ts';
import {
  type AnonymousCall,
  forgiveAttempt,
  limitAttempts,
  limitPolls,
  limitUserCodes,
  openSession,
} from './log-in.ts';
import { addUser, findUser, renewUser, type User } from './users.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

// An addition counts the users with an eventually consistent read.
const { table } = useTable(/USERS/);
beforeEach(() => clear(table));

const now = testTime();
const SECONDS = now.getTime() / 1000;
const time = now.toISOString();
const later = new Date(now.getTime() + 60_000);

/** How many of these calls are not refused. */
async function accepted(count: number, call: () => Promise<unknown>): Promise<number> {
  const results = [];
  for (let index = 0; index < count; index += 1)
    results.push(
      await call().then(
        () => 1,
        () => 0,
      ),
    );
  return results.filter(Boolean).length;
}

describe('attempts without credentials', () => {
  const attempt = (more: { call?: AnonymousCall; sourceIp?: string; at?: Date } = {}) => {
    const { call = 'log-in password', sourceIp = '192.0.2.7', at = now } = more;
    return { call, sourceIp, now: at };
  };
  const limit = (more?: Parameters<typeof attempt>[0]) => limitAttempts(table, attempt(more));

  test('are limited to 60 a minute of one address and kind, until the minute ends', async () => {
    expect(await accepted(61, () => limit())).toBe(60);
    await expect(limit()).rejects.toMatchObject({ reason: 'rate_limit', headers: { 'Retry-After': '60' } });
    await limit({ call: 'log-out' });
    await limit({ sourceIp: '192.0.2.8' });
    await limit({ at: later });
  });

  test('of one IPv6 network count together', async () => {
    await accepted(59, () => limit({ sourceIp: '2001:db8::1' }));
    expect(await accepted(2, () => limit({ sourceIp: '2001:db8::2' }))).toBe(1);
  });

  test('are uncounted when they succeed', async () => {
    await accepted(60, () => limit());
    await forgiveAttempt(table, attempt());
    expect(await accepted(2, () => limit())).toBe(1);
  });
});

test('a person may try ten user codes a minute', async () => {
  const tries = (user: string) => accepted(11, () => limitUserCodes(table, { user, now }));
  expect([await tries('ann'), await tries('ben')]).toEqual([10, 10]);
  await expect(limitUserCodes(table, { user: 'ann', now })).rejects.toMatchObject({
    kind: 'resourceExhausted',
    headers: { 'Retry-After': '60' },
  });
});

test('a device polls too often above its limit of a minute', async () => {
  const poll = (hash: string) => limitPolls(table, { hash, perMinute: 2, now });
  expect([await poll('a'), await poll('a'), await poll('a'), await poll('b')]).toEqual([false, false, true, false]);
});

describe('a session of a user', () => {
  const cause = { requestId: 'r', now: later };
  const { key_id, prefix } = apiKey();
  const open = (user: User, passwordHash?: string) =>
    openSession(table, {
      ...{ user, passwordHash, hash: 'h', cause },
      session: { key_id, prefix, expires_at: SECONDS + 600, source_ip: '192.0.2.7', method: 'password' },
    });

  async function add(more: Partial<User> = {}): Promise<User> {
    const { created_by } = apiKey();
    const user: User = {
      ...{ user_id: 'ann', user_name: 'ann', provider: 'local', role: 'Editor' },
      ...{ version: time, created_at: time, created_by, ...more },
    };
    await addUser(table, user, causeAt(now));
    return user;
  }

  test('has the name, role and owners of the user, and the user the time of the log-in', async () => {
    const user = await add({ owners: ['a'] });
    const session = await open(user);
    expect(session).toMatchObject({
      ...{ kind: 'session', name: 'ann', role: 'Editor', owners: ['a'], user_id: 'ann', account_version: time },
      ...{ created_at: later.toISOString(), created_by: { kind: 'user', id: 'ann', name: 'ann' } },
    });
    expect(await findSecret(table, session, 'h')).toMatchObject({ key_id, role: 'Editor', owners: ['a'] });
    expect(await findUser(table, 'ann')).toEqual({ ...user, last_login_at: SECONDS + 60 });
  });

  test("with a new password consumes the invitation and has the user's new version", async () => {
    const user = await add({ invitation_hash: 'i', invitation_expires_at: SECONDS + 600 });
    const { account_version: version } = await open(user, 'new');
    const { invitation_hash: _, invitation_expires_at: __, ...rest } = user;
    expect(version).toBe(later.toISOString());
    expect(await findUser(table, 'ann')).toEqual({
      ...{ ...rest, version, password_hash: 'new', password_set_at: version, last_login_at: SECONDS + 60 },
    });
    const events = await readCollection(table, ACCESS_EVENTS_PARTITION);
    expect(events.map(({ event }) => event).sort()).toEqual(['session.added', 'user.added', 'user.password_set']);
  });

  test.each([
    ['local', 'wrong_password'],
    ['company', 'disabled_user'],
  ])('that has changed since the read, of the provider %s, is refused: %s', async (provider, reason) => {
    const user = await add({ provider });
    await renewUser(table, 'ann', () => ({ event: 'user.changed', fields: { disabled: true } }), causeAt(now));
    await expect(open(user)).rejects.toMatchObject({ reason, subject: { kind: 'user', id: 'ann', name: 'ann' } });
    expect(await findSecret(table, { kind: 'session' }, 'h')).toBeUndefined();
  });
});
