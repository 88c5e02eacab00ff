import { createSecretKey, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { pageTokenSecretKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

const secretSchema = z.object({ value: z.string() });

/** The secret of each table. It never changes while it exists, so a process reads it once. */
const secrets = new WeakMap<Table, KeyObject>();

async function read(table: Table): Promise<KeyObject> {
  const item = await readItem(table, pageTokenSecretKey);
  // A text would be made a key for each token, which takes longer than all else of it.
  return createSecretKey(z.parse(secretSchema, item).value, 'utf8');
}

/** The secret that signs page tokens. One read for each process. */
export async function pageTokenSecret(table: Table): Promise<KeyObject> {
  // Caches the value rather than the promise: a read that hangs, or fails at its request's deadline, would affect other
  // requests.
  const secret = secrets.get(table) ?? (await read(table));
  secrets.set(table, secret);
  return secret;
}

/** Adds the secret if none exists; part of the set-up of a table. */
export async function ensurePageTokenSecret(table: Table, newSecret: () => string): Promise<void> {
  await writeItem(table, { put: { ...pageTokenSecretKey, value: newSecret() }, condition: ABSENT });
}
