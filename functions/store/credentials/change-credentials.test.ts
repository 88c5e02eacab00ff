import { ABSENT, type Condition, exists, or, PRESENT } from '../../../shared/db/conditions.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { addKey, causeAt } from '../../../tests/support/credentials.ts';
import { itemAt, putItem } from '../../../tests/support/table.ts';
import { accountKey, apiKeyItemKey } from '../table/keys.ts';
import { changeCredentials, type CredentialChange } from './change-credentials.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const now = new Date('2026-05-01T10:00:00Z');
const SECONDS = now.getTime() / 1000;
const BEFORE = '2026-05-01T09:00:00.000Z';
const AFTER = '2026-05-01T09:00:00.001Z';

const KEY = { pk: 'written', sk: 'x' };
let written = 0;

type Cause = Parameters<typeof changeCredentials>[2];

/** Whether the change was made; else the message of the refusal. */
async function change(
  cause: Partial<Cause>,
  steps: readonly TransactItem[] = [{ put: { ...KEY, number: (written += 1) } }],
  limits: CredentialChange = {},
) {
  try {
    await changeCredentials(table, steps, causeAt(now, cause), limits);
  } catch (error) {
    expect((await itemAt(table, KEY))?.['number']).not.toBe(written);
    return String(error);
  }
  return true;
}

const actor = (kind: 'api_key' | 'session' | 'user') => ({ kind, id: 'caller', name: 'admin' });

test('the service itself and an enrolment need no credential; other callers do', async () => {
  for (const kind of ['system', 'enrolment_token'] as const)
    expect(await change({ actor: { kind, id: 'x', name: 'x' } })).toBe(true);
  for (const kind of ['api_key', 'session'] as const)
    expect(await change({ actor: actor(kind) })).toContain('Invalid API key');
  expect(await change({ actor: actor('user') })).toContain('Invalid username or password');
});

test('the key of the caller must exist and must not have expired', async () => {
  const by = async (more: object, keyId?: string) => {
    const key = await addKey(table, more);
    const secret = { digest: key.key_id, keyId: keyId ?? key.key_id };
    return change({ actor: actor('api_key'), credential: { secret } });
  };
  expect(await by({})).toBe(true);
  expect(await by({ expires_at: SECONDS + 1 })).toBe(true);
  expect(await by({ expires_at: SECONDS })).toContain('Invalid API key');
  expect(await by({}, 'another id')).toContain('Invalid API key');
  const secret = { digest: 'removed', keyId: 'removed' };
  expect(await change({ actor: actor('api_key'), credential: { secret } })).toContain('Invalid API key');
});

test('a superseded secret may make only its permitted changes', async () => {
  const { key_id: id } = await addKey(table, { superseded: true, expires_at: SECONDS + 60 });
  const by = (limits: CredentialChange) =>
    change({ actor: actor('api_key'), credential: { secret: { digest: id, keyId: id } } }, undefined, limits);
  expect(await by({})).toContain('was superseded');
  expect(await by({ until: SECONDS + 60, isOpenToSuperseded: true })).toBe(true);
});

test('a credential ends no later than the key that made it, and a permanent key sets no limit', async () => {
  const by = async (kind: 'api_key' | 'session', end: number | undefined, until: number) => {
    const { key_id: id } = await addKey(table, { kind, ...(end === undefined ? {} : { expires_at: end }) });
    const credential = { secret: { digest: id, keyId: id } };
    return change({ actor: actor(kind), credential }, undefined, { until });
  };
  expect(await by('api_key', SECONDS + 60, SECONDS + 60)).toBe(true);
  const refusal = 'this API key expires at 2026-05-01T10:01:00.000Z';
  expect(await by('api_key', SECONDS + 60, SECONDS + 61)).toContain(refusal);
  expect(await by('api_key', SECONDS + 60, Infinity)).toContain(refusal);
  expect(await by('api_key', SECONDS, SECONDS)).toContain('Invalid API key');
  expect(await by('api_key', undefined, Infinity)).toBe(true);
  expect(await by('session', SECONDS + 60, Infinity)).toBe(true);
});

test('a key must have the owners that the gateway knew; other reasons are reported as such', async () => {
  const by = async (more: object, owners: string[], limits: CredentialChange = {}) => {
    const { key_id: id } = await addKey(table, { owners: ['dba', 'shop'], ...more });
    const credential = { secret: { digest: id, keyId: id } };
    return change({ actor: actor('api_key'), credential, limit: { label: 'team', owners } }, undefined, limits);
  };
  expect(await by({}, ['dba', 'shop'])).toBe(true);
  for (const owners of [['dba'], ['shop', 'dba'], ['dba', 'shop', 'web']])
    expect(await by({}, owners)).toContain('the owners of this key have changed');
  const end = { expires_at: SECONDS + 60 };
  expect(await by(end, ['dba', 'shop'], { until: SECONDS + 61 })).toContain('this API key expires at');
  expect(await by({ expires_at: SECONDS }, ['dba'])).toContain('Invalid API key');
  expect(await by({ superseded: true }, ['dba', 'shop'])).toContain('was superseded');
});

test("the caller's password must be the checked one", async () => {
  const by = async (version: string) => {
    await putItem(table, { ...accountKey('user'), updated_at: BEFORE });
    return change({ actor: actor('user'), credential: { account: { name: 'user', version } } });
  };
  expect(await by(BEFORE)).toBe(true);
  expect(await by(AFTER)).toBe(true);
  expect(await by('2026-05-01T08:59:59.999Z')).toContain('Invalid username or password');
  const missing = { account: { name: 'missing', version: AFTER } };
  expect(await change({ actor: actor('user'), credential: missing })).toContain('Invalid username or password');
});

test('a session must be open, with the same password', async () => {
  const { key_id: id } = await addKey(table, { kind: 'session' });
  await putItem(table, { ...accountKey('of session'), updated_at: BEFORE });
  const by = (digest: string, version: string) =>
    change({
      actor: actor('session'),
      credential: { secret: { digest, keyId: id }, account: { name: 'of session', version } },
    });
  expect(await by(id, BEFORE)).toBe(true);
  expect(await by('ended', BEFORE)).toContain('Invalid API key');
  expect(await by(id, '2026-05-01T08:00:00.000Z')).toContain('Invalid API key');
});

describe("a change of the caller's own credential", () => {
  const addCaller = async () => {
    const { key_id: id } = await addKey(table);
    return { id, credential: { secret: { digest: id, keyId: id } }, key: apiKeyItemKey(id) };
  };
  const refused = () => new Error('own condition');

  test('has both conditions in one item', async () => {
    const { id, credential, key } = await addCaller();
    const by = (condition: Condition | undefined, keyId = id) =>
      change({ actor: actor('api_key'), credential: { secret: { digest: credential.secret.digest, keyId } } }, [
        { update: key, set: { last_used_at: 7 }, ...(condition && { condition }), onConditionFailed: refused },
      ]);
    expect(await by(undefined)).toBe(true);
    expect(await by(PRESENT)).toBe(true);
    expect(await by(ABSENT)).toContain('own condition');
    expect(await by(PRESENT, 'another id')).toContain('Invalid API key');
    // An alternative of the own condition does not replace that of the caller.
    expect(await by(or(PRESENT, exists('sk')), 'another id')).toContain('Invalid API key');
  });

  test('may be its deletion', async () => {
    const { credential, key } = await addCaller();
    const remove = () => change({ actor: actor('api_key'), credential }, [{ delete: key }]);
    expect(await remove()).toBe(true);
    expect(await remove()).toContain('Invalid API key');
  });
});
