/** Mirrors the inventory into PostgreSQL. Each call of the store is one transaction, with the cursor. */
import { Client } from 'pg';
import { mirror, type MirrorStore } from '../../../clients/typescript/src/flows.ts';
import { createClient } from '../../../clients/typescript/src/index.ts';

const { INVENTORY_URL: url = '', INVENTORY_KEY: key } = process.env;
const database = new Client(); // PGHOST, PGUSER, PGDATABASE
await database.connect();
// One follower at a time: PostgreSQL releases the lock at the end of the session, also of a killed one.
await database.query('SELECT pg_advisory_lock(1)');
await database.query(`
  CREATE TABLE IF NOT EXISTS objects (kind text, id text, fields jsonb NOT NULL, PRIMARY KEY (kind, id));
  CREATE TABLE IF NOT EXISTS position (cursor text NOT NULL)`);
const put = `INSERT INTO objects VALUES ($1, $2, $3) ON CONFLICT (kind, id) DO UPDATE SET fields = excluded.fields`;

async function transaction(cursor: string, steps: () => Promise<void>): Promise<void> {
  await database.query('BEGIN');
  await steps();
  await database.query('WITH old AS (DELETE FROM position) INSERT INTO position VALUES ($1)', [cursor]);
  await database.query('COMMIT');
}
const store: MirrorStore = {
  cursor: async () => (await database.query<{ cursor: string }>('SELECT cursor FROM position')).rows[0]?.cursor,
  get: async (kind, id) =>
    (await database.query('SELECT * FROM objects WHERE kind = $1 AND id = $2', [kind, id])).rows[0],
  replace: (objects, cursor) =>
    transaction(cursor, async () => {
      await database.query('DELETE FROM objects');
      for await (const { kind, id, fields } of objects) await database.query(put, [kind, id, fields]);
    }),
  apply: (changed, cursor) =>
    transaction(cursor, async () => {
      for (const change of changed)
        if ('fields' in change) await database.query(put, [change.kind, change.id, change.fields]);
        else await database.query('DELETE FROM objects WHERE kind = $1 AND id = $2', [change.kind, change.id]);
    }),
};
await mirror(createClient({ url, key, attempts: 20 }), { store, once: process.argv.includes('--once') });
await database.end();
