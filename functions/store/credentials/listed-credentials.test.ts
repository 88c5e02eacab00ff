import type { Table } from '../../../shared/db/table.ts';
import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { itemAt, putItem, startTable } from '../../../tests/support/table.ts';
import { apiKeyIdKey, apiKeyItemKey } from '../table/keys.ts';
import { type ApiKey, findApiKey } from './api-keys.ts';
import { findNewestSecret } from './listed-credentials.ts';
import { addSession, type Session } from './sessions.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

/** Opens a session of a user; the item that its secret leads to. */
async function open(hash: string): Promise<ApiKey> {
  const account = { account_version: '2026-05-01T09:00:00.000Z', source_ip: '192.0.2.7' };
  const session: Session = { ...apiKey(), kind: 'session', name: 'user', expires_at: 4_000_000_000, ...account };
  await addSession(table, session, hash, causeAt(new Date('2026-05-01T10:00:00Z')));
  return (await findApiKey(table, hash))!;
}

/** The newest secret, and the number of reads that it takes. */
async function newest(
  credential: ApiKey,
  hash: string,
  more: Partial<Table> = { isSealed: true },
): Promise<[string | undefined, number]> {
  let reads = 0;
  const client = { send: (command: never) => ((reads += 1), table.client.send(command)) };
  return [await findNewestSecret({ ...table, client, ...more } as never, credential, hash), reads];
}

test('where only the service writes, the newest secret takes no further read, and an older one that of the newest', async () => {
  const session = await open('unsealed');
  expect(await newest(session, 'unsealed', {})).toEqual(['unsealed', 0]);
  const key = await addKey(table);
  const old = key.key_id;
  expect(await newest(key, old, {})).toEqual([old, 0]);
  const known = await itemAt(table, apiKeyIdKey(key.key_id));
  await putItem(table, { ...known!, key_hash: 'next', previous: [{ key_hash: old, expires_at: 4_000_000_000 }] });
  expect(await newest({ ...key, superseded: true }, old, {})).toEqual(['next', 1]);
  expect(await newest({ ...key, superseded: true }, 'unknown', {})).toEqual([undefined, 1]);
});

test('a session names its slot, so that its id and its slot are one read', async () => {
  const session = await open('named');
  expect(session.slot).toMatch(/^user#\d\d$/);
  expect(await newest(session, 'named')).toEqual(['named', 1]);
});

test('a session that the release before opened does not name its slot, and works', async () => {
  const { slot: _, ...session } = await open('older');
  expect(await newest(session, 'older')).toEqual(['older', 2]);
});

test('the name of another slot grants nothing, whether a session of the same user has it or none', async () => {
  const [session, other] = [await open('one'), await open('other')];
  for (const slot of [other.slot!, 'user#', 'nobody#00', 'x'])
    expect(await newest({ ...session, slot }, 'one')).toEqual([undefined, 1]);
  // Also not when somebody makes the item by its id name it: the slot then names another session.
  const known = await itemAt(table, apiKeyIdKey(session.key_id));
  await putItem(table, { ...known!, slot: other.slot });
  expect(await newest({ ...session, slot: other.slot }, 'one')).toEqual([undefined, 1]);
  await putItem(table, known!);
  expect(await newest(session, 'one')).toEqual(['one', 1]);
  expect(await itemAt(table, apiKeyItemKey('one'))).toMatchObject({ slot: session.slot });
});
