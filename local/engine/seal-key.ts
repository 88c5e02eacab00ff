import { createSecretKey, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isSealedItem, unsealedAttributes } from '../../functions/store/table/keys.ts';
import { sealItems, type Sealing } from '../../shared/db/seal.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import type { Log } from '../../shared/core/log.ts';
import { errorCode, StartFailure } from '../process/failure.ts';
import { writeWhole } from '../process/write-whole.ts';

const SECRET_BYTES = 32;

/** In the data folder, mode 0600: a reader of it could write valid items. */
export const SEAL_KEY_FILE = 'seal.key';

/** The seal of all items that grant something. */
export function accessSealing(secret: Uint8Array, log: Log): Sealing {
  return {
    secret: createSecretKey(secret),
    covers: isSealedItem,
    unsealed: unsealedAttributes,
    onForged: ({ pk }) =>
      log({ level: 'error', message: 'an item that this service did not write is ignored', item: pk.split('#')[0] }),
  };
}

async function readSecret(file: string): Promise<Uint8Array | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartFailure(`Cannot read ${file} (${errorCode(error)}). Correct its owner and its mode.`, {
      cause: error,
    });
  }
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.length === SECRET_BYTES) return secret;
  throw new StartFailure(
    `${file} is damaged. Restore it from a backup. Without a backup, remove the file: then the service trusts the current content of the table again.`,
  );
}

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** All items that must be sealed, from a table that was written without seals. */
async function unsealedItems({ client, name }: Table): Promise<Item[]> {
  const found: Item[] = [];
  let last: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: name, ExclusiveStartKey: last, ConsistentRead: true }));
    found.push(...(page.Items ?? []).filter((item) => isSealedItem(z.parse(keySchema, item))));
    last = page.LastEvaluatedKey;
  } while (last !== undefined);
  return found;
}

/**
 * Seals the items that grant something in a local table, with the key in the data folder. The items of a table from
 * before the key existed are trusted once.
 *
 * @throws StartFailure when the key cannot be read or generated
 */
export async function sealTable(table: Table, dataDir: string, log: Log): Promise<void> {
  const file = join(dataDir, SEAL_KEY_FILE);
  const known = await readSecret(file);
  if (known !== undefined) {
    sealItems(table, accessSealing(known, log));
    return;
  }
  const secret = randomBytes(SECRET_BYTES);
  const items = await unsealedItems(table);
  sealItems(table, accessSealing(secret, log));
  for (const Item of items) await table.client.send(new PutCommand({ TableName: table.name, Item }));
  try {
    // Last: a start that ends before this starts again with another key.
    await writeWhole(file, `${secret.toString('base64url')}\n`, 0o600);
  } catch (error) {
    throw StartFailure.dataFolder(dataDir, error);
  }
}
