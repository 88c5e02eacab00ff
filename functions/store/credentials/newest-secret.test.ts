import { addKey } from '../../../tests/support/credentials.ts';
import { itemAt, putItem } from '../../../tests/support/table.ts';
import { apiKeyIdKey } from '../table/keys.ts';
import type { ApiKey } from './api-keys.ts';
import { findNewestSecret } from './newest-secret.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

/** The newest secret, and the number of reads that it takes. */
async function newest(credential: ApiKey, hash: string): Promise<[string | undefined, number]> {
  let reads = 0;
  const client = { send: (command: never) => ((reads += 1), table.client.send(command)) };
  const newest = await findNewestSecret({ ...table, client } as never, credential, hash);
  return [newest?.hash, reads];
}

test('the newest secret needs no further read, an older one a read of the newest', async () => {
  const key = await addKey(table);
  const old = key.key_id;
  expect(await newest(key, old)).toEqual([old, 0]);
  const idItem = await itemAt(table, apiKeyIdKey(key.key_id));
  await putItem(table, { ...idItem!, key_hash: 'next', previous: [{ key_hash: old, expires_at: 4_000_000_000 }] });
  expect(await newest({ ...key, superseded: true }, old)).toEqual(['next', 1]);
  expect(await newest({ ...key, superseded: true }, 'unknown')).toEqual([undefined, 1]);
});

test('the end is that of the key, also for an older secret that ends earlier', async () => {
  const key = await addKey(table, { expires_at: 4_000_000_000 });
  const old = { ...key, superseded: true as const, expires_at: 3_900_000_000 };
  expect([await findNewestSecret(table, key, key.key_id), await findNewestSecret(table, old, key.key_id)]).toEqual([
    { hash: key.key_id, end: 4_000_000_000 },
    { hash: key.key_id, end: 4_000_000_000 },
  ]);
});
