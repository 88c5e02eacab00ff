import { randomUUID } from 'node:crypto';
import { causeAt } from '../../../tests/support/credentials.ts';
import { itemAt } from '../../../tests/support/table.ts';
import { ACCESS_EVENTS_PARTITION, enrolmentTokenIdKey, enrolmentTokenKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { changeCredentials } from './change-credentials.ts';
import {
  addEnrolmentToken,
  type EnrolmentToken,
  findEnrolmentToken,
  listEnrolmentTokens,
  removeEnrolmentToken,
  useTokenSteps,
} from './enrolment-tokens.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const now = new Date('2026-05-01T10:00:00Z');
const SECONDS = now.getTime() / 1000;
const cause = causeAt(now);

async function add(more: Partial<EnrolmentToken> = {}): Promise<EnrolmentToken & { hash: string }> {
  const token: EnrolmentToken = {
    token_id: randomUUID(),
    name: 'hosts',
    prefix: 'minv_enrol_aB3x',
    created_at: now.toISOString(),
    created_by: { kind: 'user', id: 'admin', name: 'admin' },
    expires_at: SECONDS + 60,
    ...more,
  };
  const hash = `hash of ${token.token_id}`;
  await addEnrolmentToken(table, token, hash, cause);
  return { ...token, hash };
}

const eventsOf = async (id: string) =>
  (await readCollection(table, ACCESS_EVENTS_PARTITION)).flatMap(({ event, subject_id: of, after }) =>
    of === id ? [[event, after]] : [],
  );

test('a token is found by its hash, and may be deleted after its end', async () => {
  const { hash, ...token } = await add({ node_name: 'n', allowed_addresses: ['a', 'b'] });
  expect(await findEnrolmentToken(table, hash)).toEqual(token);
  expect(await findEnrolmentToken(table, 'other')).toBeUndefined();
  for (const key of [enrolmentTokenKey(hash), enrolmentTokenIdKey(token.token_id)])
    expect((await itemAt(table, key))?.['ttl']).toBe(SECONDS + 60);
  expect(await eventsOf(token.token_id)).toEqual([
    [
      'enrolment_token.added',
      { node_name: 'n', allowed_addresses: 'a b', expires_at: new Date((SECONDS + 60) * 1000).toISOString() },
    ],
  ]);
});

test('lists tokens by id across pages, without hashes', async () => {
  const ids = [];
  for (const token_id of ['zz1', 'zz2', 'zz3']) ids.push((await add({ token_id })).token_id);
  const from: [string, string] = ['zz0', 'zz0'];
  const first = await listEnrolmentTokens(table, { size: 2, after: from });
  expect([first.objects.map((item) => item.token_id), first.next]).toEqual([ids.slice(0, 2), ['zz2', 'zz2']]);
  const second = await listEnrolmentTokens(table, { size: 1, after: first.next });
  expect([second.objects.map((item) => item.token_id), second.next]).toEqual([['zz3'], undefined]);
  expect(JSON.stringify(first)).not.toContain('hash of');
});

test('a removed token is absent by hash and by id, and removed once', async () => {
  const { hash, token_id: id } = await add();
  await removeEnrolmentToken(table, id, cause);
  expect([await findEnrolmentToken(table, hash), await itemAt(table, enrolmentTokenIdKey(id))]).toEqual([
    undefined,
    undefined,
  ]);
  expect((await eventsOf(id)).map(([event]) => event).sort()).toEqual([
    'enrolment_token.added',
    'enrolment_token.removed',
  ]);
  await expect(removeEnrolmentToken(table, id, cause)).rejects.toMatchObject({ kind: 'notFound' });
});

test('a token is used once before its end', async () => {
  const use = (token: Awaited<ReturnType<typeof add>>, nowSeconds: number) =>
    changeCredentials(
      table,
      useTokenSteps(token, { hash: token.hash, now: new Date(nowSeconds * 1000), nodeId: 'n', cause }),
      cause,
    );
  const refused = { kind: 'unauthenticated', message: 'Invalid enrolment token' };
  const token = await add();
  await expect(use(token, SECONDS + 60)).rejects.toMatchObject(refused);
  await use(token, SECONDS + 59);
  await expect(use(token, SECONDS)).rejects.toMatchObject(refused);
  expect(await itemAt(table, enrolmentTokenIdKey(token.token_id))).toBeUndefined();
  expect(await eventsOf(token.token_id)).toContainEqual(['enrolment_token.used', { node_id: 'n' }]);
});
