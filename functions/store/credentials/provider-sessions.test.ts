import { transact } from '../../../shared/db/transact.ts';
import { apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { ACCESS_EVENTS_PARTITION } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { endProviderSessions, providerSessionSteps, type ProviderSubject } from './provider-sessions.ts';
import { addSession, listSessions } from './sessions.ts';
import { ensureProviderUser, findUser, providerUserId } from './users.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

// An addition counts the users with an eventually consistent read.
const { table } = useTable(/USERS/);
beforeEach(() => clear(table));

const now = testTime();
const SECONDS = now.getTime() / 1000;
const cause = causeAt(now);
const issuer = 'https://issuer.example';
const user_id = providerUserId(issuer, 'ann');

const identity = (more: Partial<ProviderSubject> = {}): ProviderSubject => ({
  ...{ issuer, sid: 's1', subject: 'ann', issuedAt: SECONDS },
  ...more,
});

/** Opens a session of the identity. @returns its id. */
async function logIn(of: ProviderSubject): Promise<string> {
  const user = await ensureProviderUser(
    table,
    { user_id, user_name: 'ann', provider: 'company', subject: 'ann', role: 'Viewer' },
    cause,
  );
  const session = {
    ...{ ...apiKey({ name: 'ann' }), kind: 'session' as const, expires_at: SECONDS + 600, user_id },
    ...{ account_version: user.version, source_ip: '192.0.2.7', provider: 'company' },
  };
  const steps = providerSessionSteps(of, session.key_id, now);
  await addSession(table, session, session.key_id, cause, steps);
  return session.key_id;
}

const open = async () =>
  (await listSessions(table, { of: 'everybody', now }, { size: 9, after: undefined })).objects
    .map(({ key_id: id }) => id)
    .sort();
const end = (of: Partial<ProviderSubject>) => endProviderSessions(table, identity(of), cause);
const events = async () => (await readCollection(table, ACCESS_EVENTS_PARTITION)).filter(({ after }) => after);
const refused = { reason: 'expired_identity' };

test('a log-out of a provider session ends only the sessions that began in it', async () => {
  const [first, second, other] = [
    await logIn(identity()),
    await logIn(identity()),
    await logIn(identity({ sid: 's2' })),
  ];
  const none = await logIn(identity({ sid: undefined }));
  expect(await open()).toEqual([first, second, other, none].sort());
  await end({ issuedAt: SECONDS + 1, subject: undefined });
  expect(await open()).toEqual([other, none].sort());
  const reasons = (await events()).filter(({ event }) => event === 'session.removed');
  expect(reasons.map(({ after }) => after)).toEqual([{ reason: 'provider_log_out' }, { reason: 'provider_log_out' }]);
  // Repeated, it does nothing more.
  await end({ issuedAt: SECONDS + 1 });
  expect(await open()).toHaveLength(2);
});

test('a log-out of a person ends all sessions of the user', async () => {
  await logIn(identity());
  await logIn(identity({ sid: undefined }));
  await end({ sid: undefined });
  const { version } = (await findUser(table, user_id))!;
  expect(Date.parse(version)).toBeGreaterThan(now.getTime());
  expect(await open()).toEqual([]);
  expect(await events()).toContainEqual(
    expect.objectContaining({ event: 'user.sessions_ended', after: { reason: 'provider_log_out' } }),
  );
});

test('a log-out of an unknown person has no effect', async () => {
  await expect(end({ sid: undefined, subject: 'ben' })).resolves.toBeUndefined();
});

test('after a log-out, only a later identity opens a session', async () => {
  await end({ issuedAt: SECONDS });
  await expect(logIn(identity({ issuedAt: SECONDS }))).rejects.toMatchObject(refused);
  await end({ issuedAt: SECONDS - 5 });
  // An earlier log-out that arrives late does not move the mark back.
  await expect(logIn(identity({ issuedAt: SECONDS - 1 }))).rejects.toMatchObject(refused);
  await logIn(identity({ issuedAt: SECONDS + 1 }));
  await logIn(identity({ sid: 's2', issuedAt: SECONDS - 9 }));
  await end({ sid: undefined, issuedAt: SECONDS });
  await expect(logIn(identity({ sid: 's3', issuedAt: SECONDS }))).rejects.toMatchObject(refused);
  await expect(logIn(identity({ sid: undefined, issuedAt: SECONDS }))).rejects.toMatchObject(refused);
});

test('names of different issuers, and of sessions and persons, are separate', async () => {
  await end({ issuer: 'https://other.example' });
  await end({ sid: undefined, subject: 's1' });
  await end({ sid: 'ann' });
  await transact(table, providerSessionSteps(identity(), 'id', now));
});
