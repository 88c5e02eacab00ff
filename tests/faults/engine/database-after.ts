import { DatabaseSync } from 'node:sqlite';
import { openTestEngine } from '../../support/sqlite-engine.ts';

export interface DatabaseAfter {
  /** `ok`, or the damage that SQLite finds. */
  integrity: string;
  /** Acknowledged writes that are not in the database as a whole. */
  lost: string[];
  /** Transactions of which a part is in the database. */
  halves: string[];
}

const isTransaction = (id: string) => Number(id.slice(id.lastIndexOf('-') + 1)) % 3 === 0;

/** Opens a database as the next start does, and compares it with the acknowledged writes (writer.ts). */
export async function databaseAfter(file: string, acknowledged: readonly string[]): Promise<DatabaseAfter> {
  const { engine, call } = await openTestEngine(file);
  const itemsByPartition = new Map<string, string[]>();
  let ExclusiveStartKey: unknown;
  do {
    const page = await call('Scan', ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey });
    for (const { pk, sk } of page.Items ?? [])
      itemsByPartition.set(String(pk), [...(itemsByPartition.get(String(pk)) ?? []), String(sk)]);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  await engine.close();
  const database = new DatabaseSync(file);
  const integrity = String(Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]);
  database.close();
  const sizeOf = (id: string) => (isTransaction(id) ? 3 : 1);
  return {
    integrity,
    lost: acknowledged.filter((id) => itemsByPartition.get(id)?.length !== sizeOf(id)),
    halves: [...itemsByPartition].filter(([id, parts]) => parts.length !== sizeOf(id)).map(([id]) => id),
  };
}
