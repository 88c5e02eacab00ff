import { hash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { Pool } from 'pg';
import * as z from 'zod/mini';
import { DATABASE } from './postgres.ts';

/** Handed over on stdin. */
const settingsSchema = z.object({ key: z.string(), cert: z.string(), socketFolder: z.string() });

export type Settings = z.output<typeof settingsSchema>;

/** Enough that no request of the benchmark waits for a connection. */
const CONNECTIONS = 16;

// The peer that the local server is compared with: what a team would write with Fastify and PostgreSQL for the same two
// requests. Statements are prepared once per connection. Says its port on stdout; ends by a signal.
const { key, cert, socketFolder } = z.parse(settingsSchema, JSON.parse(await text(process.stdin)));
const pool = new Pool({ host: socketFolder, ...DATABASE, max: CONNECTIONS });
const app = Fastify({ https: { key, cert } });

app.addHook('onRequest', async (request, reply) => {
  const [, presented] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const { rowCount } = await pool.query({
    name: 'key',
    text: 'SELECT role FROM api_keys WHERE key_hash = $1',
    values: [hash('sha256', presented ?? '')],
  });
  if (rowCount !== 1) return reply.code(401).send({ error: 'Invalid API key.' });
});

const rowSchema = z.object({ node_name: z.string(), document: z.unknown() });
const nodePath = z.object({ id: z.uuid() });
const pageQuery = z.object({ page_size: z._default(z.coerce.number(), 100), after: z._default(z.string(), '') });

app.get('/v1/inventory/nodes/:id', async (request, reply) => {
  const { id } = z.parse(nodePath, request.params);
  const { rows } = await pool.query({
    name: 'node',
    text: 'SELECT node_name, document FROM nodes WHERE node_id = $1',
    values: [id],
  });
  const [row] = z.parse(z.array(rowSchema), rows);
  return row?.document ?? reply.code(404).send({ error: 'Node not found.' });
});

app.get('/v1/inventory/nodes', async (request) => {
  const { page_size: size, after } = z.parse(pageQuery, request.query);
  // One more than the page tells whether there is another one.
  const { rows } = await pool.query({
    name: 'page',
    text: 'SELECT node_name, document FROM nodes WHERE node_name > $1 ORDER BY node_name LIMIT $2',
    values: [after, size + 1],
  });
  const entries = z.parse(z.array(rowSchema), rows);
  const page = entries.slice(0, size);
  const token = entries.length > size ? { next_page_token: page.at(-1)?.node_name } : {};
  return { nodes: page.map(({ document }) => document), ...token };
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${new URL(address).port}\n`);
