import { hash } from 'node:crypto';
import { Client } from 'pg';
import { DATABASE } from './postgres.ts';

const TABLES = `
  CREATE TABLE api_keys (key_hash text PRIMARY KEY, role text NOT NULL);
  CREATE TABLE nodes (node_id uuid PRIMARY KEY, node_name text NOT NULL UNIQUE, document jsonb NOT NULL);
`;

export interface StoredNode {
  node_id: string;
  node_name: string;
}

/** Creates the tables of the peer, with one key and these nodes. */
export async function fillDatabase(
  socketFolder: string,
  { key, nodes }: { key: string; nodes: readonly StoredNode[] },
): Promise<void> {
  const client = new Client({ host: socketFolder, ...DATABASE });
  await client.connect();
  try {
    await client.query(TABLES);
    await client.query('INSERT INTO api_keys VALUES ($1, $2)', [hash('sha256', key), 'Editor']);
    for (const node of nodes)
      await client.query('INSERT INTO nodes VALUES ($1, $2, $3)', [node.node_id, node.node_name, node]);
    // As the autovacuum would have done after a while.
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
