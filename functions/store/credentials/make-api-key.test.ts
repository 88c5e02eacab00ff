import { randomBytes, randomUUID } from 'node:crypto';
import { hashApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import type { Caller } from '../../contract/caller.ts';
import { addKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear } from '../../../tests/support/table.ts';
import { findApiKey } from './api-keys.ts';
import { findByName } from './named-keys.ts';
import { makeApiKey } from './make-api-key.ts';
import { addServiceAccount, removeServiceAccount } from './service-accounts.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const now = new Date('2026-05-01T10:00:00Z');
const SECONDS = now.getTime() / 1000;

async function make(addition: object, { end, account }: { end?: number; account?: any } = {}) {
  const { key_id: keyId, name } = await addKey(table, {
    role: 'Admin',
    ...(end === undefined ? {} : { expires_at: end }),
  });
  const caller: Caller = { kind: 'api_key', keyId, name, role: 'Admin', secretDigest: keyId } as never;
  const request = { caller: () => caller, requestId: 'r', sourceIp: '192.0.2.1' };
  const maker = { table, clock: () => now, newId: randomUUID, randomBytes };
  return makeApiKey(request, maker, { name: 'made', role: 'Editor', ...addition }, account);
}

test("a key is stored under its secret's digest, with its maker, end and limit", async () => {
  const { apiKey, secret } = await make({ time_to_live: 60, rate_limit_per_minute: 7 });
  expect(await findApiKey(table, hashApiKeySecret(secret))).toEqual(apiKey);
  expect(apiKey).toMatchObject({ name: 'made', role: 'Editor', expires_at: SECONDS + 60, rate_limit_per_minute: 7 });
  expect(apiKey.created_by.kind).toBe('api_key');
  expect(JSON.stringify(apiKey)).not.toContain(secret.slice(10));
});

test('a key of a service account requires the account', async () => {
  const account = await addServiceAccount(table, { name: 'a', role: 'Editor' }, causeAt(now));
  expect((await make({}, { account })).apiKey.service_account).toBe('a');
  await removeServiceAccount(table, account.id, causeAt(now));
  await expect(make({}, { account })).rejects.toMatchObject({ kind: 'notFound' });
  expect(await findByName(table, 'made')).toBeUndefined();
});

test('a key with an end makes no key that ends later', async () => {
  const end = SECONDS + 60;
  for (const addition of [{}, { time_to_live: 61 }])
    await expect(make(addition, { end })).rejects.toMatchObject({ kind: 'permissionDenied' });
  expect(await findByName(table, 'made')).toBeUndefined();
  expect((await make({ time_to_live: 60 }, { end })).apiKey.expires_at).toBe(end);
});
