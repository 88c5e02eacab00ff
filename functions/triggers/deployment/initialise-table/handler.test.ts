import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ensureTable } from '../../../../local/engine/table.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { checkBefore } from './handler.ts';
import { NoOtherAdmin } from '../../../store/credentials/other-admins.ts';
import { setUpWithSecret } from '../../../runtime/initialise-table.ts';
import { findAccount, putAccount } from '../../../store/credentials/accounts.ts';
import { inEveryShard } from '../../../store/history/change-shards.ts';
import { checkTableFormat, claimTableFormat } from '../../../store/table/format.ts';
import { TABLE_FORMAT } from '../../../store/table/keys.ts';
import { accountKey, pageTokenSecretKey } from '../../../store/table/keys.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

/** An empty table, with the names of the commands that were sent to it. */
async function emptyTable(): Promise<{ dependencies: Dependencies; commands: string[] }> {
  const commands: string[] = [];
  const client = {
    send: (command: any) => {
      commands.push(command.constructor.name);
      return inventory.table.client.send(command);
    },
  } as never;
  const name = `set-up-${randomUUID()}`;
  await ensureTable({ ...inventory.table, name });
  return { dependencies: { ...inventory.dependencies, table: { name, client } }, commands };
}

async function itemsOf({ table }: Dependencies) {
  return Promise.all(
    [accountKey('admin'), pageTokenSecretKey].map(
      async (Key) => (await table.client.send(new GetCommand({ TableName: table.name, Key }))).Item,
    ),
  );
}

test('an empty table gets the account and the page token secret by puts only', async () => {
  const { dependencies, commands } = await emptyTable();
  await setUpWithSecret(dependencies, 'arn:secret');
  expect(commands).toEqual(['PutCommand', 'PutCommand', 'PutCommand']);
  const [account, secret] = await itemsOf(dependencies);
  expect(account).toMatchObject({ name: 'admin', role: 'Admin', secret_arn: 'arn:secret' });
  expect(account).not.toHaveProperty('password_hash');
  expect(secret!['value']).toMatch(/^[0-9A-Za-z]{43}$/);
});

test('a repetition changes nothing, so that sessions and page tokens survive a deployment', async () => {
  const { dependencies } = await emptyTable();
  await setUpWithSecret(dependencies, 'arn:secret');
  const before = await itemsOf(dependencies);
  await setUpWithSecret(dependencies, 'arn:secret');
  expect(await itemsOf(dependencies)).toEqual(before);
});

test('only a deployment that disables the account of the only Admin is refused', async () => {
  const { dependencies } = await emptyTable();
  for (const use of [undefined, 'enabled', 'emergency']) await checkBefore(use, dependencies);
  await expect(checkBefore('disabled', dependencies)).rejects.toThrow(NoOtherAdmin);
  // This table has an Admin key without an end.
  await checkBefore('disabled', inventory.dependencies);
});

test('a new secret replaces the former one', async () => {
  const { dependencies } = await emptyTable();
  await setUpWithSecret(dependencies, 'arn:secret');
  await setUpWithSecret(dependencies, 'arn:other');
  expect(await findAccount(dependencies.table, 'admin')).toMatchObject({ secret_arn: 'arn:other' });
});

test('an account with a password hash gets the secret instead, because the deployed authorizer verifies no hash', async () => {
  const { dependencies } = await emptyTable();
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  await putAccount(dependencies.table, { name: 'admin', role: 'Admin', password_hash: 'hash', ...times });
  await setUpWithSecret(dependencies, 'arn:secret');
  const account = await findAccount(dependencies.table, 'admin');
  expect(account).toMatchObject({ secret_arn: 'arn:secret' });
  expect(account).not.toHaveProperty('password_hash');
});

test('the number of change partitions grows, stays without the setting, and never decreases', async () => {
  const { dependencies } = await emptyTable();
  const shards = async () => (await inEveryShard(dependencies.table, () => Promise.resolve())).length;
  await setUpWithSecret(dependencies, 'arn:secret', 8);
  expect(await shards()).toBe(8);
  await setUpWithSecret(dependencies, 'arn:secret');
  expect(await shards()).toBe(8);
  await expect(setUpWithSecret(dependencies, 'arn:secret', 6)).rejects.toThrow(
    '6 partitions of changes are fewer than the 8 of this table',
  );
});

test('a table of a newer version fails the deployment, and nothing is written', async () => {
  const { dependencies } = await emptyTable();
  await checkTableFormat(dependencies.table);
  await claimTableFormat(dependencies.table);
  await checkTableFormat(dependencies.table);
  await claimTableFormat(dependencies.table, TABLE_FORMAT + 1);
  await expect(setUpWithSecret(dependencies, 'arn:secret')).rejects.toThrow(
    `The table has format ${TABLE_FORMAT + 1}, and this version reads formats up to ${TABLE_FORMAT}.`,
  );
  await expect(checkTableFormat(dependencies.table)).rejects.toThrow(`The table has format ${TABLE_FORMAT + 1}, and`);
  expect(await itemsOf(dependencies)).toEqual([undefined, undefined]);
});
