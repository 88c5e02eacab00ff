import * as z from 'zod/mini';
import { https } from '../../tests/support/server.ts';
import type { Settings } from '../baseline/https-server.ts';
import { startChildServer } from '../child-server.ts';
import { compareRates } from '../https-load.ts';
import { type BenchServer, startLocalServer } from '../local-server.ts';
import { ratio, table } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';

/** What the bare server answers with: a reply of the local server, and its certificate. */
async function settingsFrom({ base, headers, certificate }: BenchServer, path: string): Promise<Settings> {
  const reply = await https(base, 'GET', path, { headers });
  // Headers that the HTTP server of Node adds are left out: they would appear twice.
  const own = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
    typeof value !== 'string' || ['date', 'connection', 'keep-alive'].includes(name) ? [] : [[name, value]],
  );
  return { ...certificate, statusCode: reply.status, headers: Object.fromEntries(own), body: reply.text };
}

/** The local server (authorizer, handler, engine) against a bare HTTPS server that answers the same bytes. */
export async function serverSection(size: Size): Promise<string> {
  const local = await startLocalServer();
  try {
    const node = { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1' };
    const { node_id: id } = await local.post('/v1/nodes', node, z.object({ node_id: z.string() }));
    const path = `/v1/nodes/${id}`;
    const bare = await startChildServer('baseline/https-server.ts', await settingsFrom(local, path));
    try {
      const rows = [];
      for (const connections of [1, 16]) {
        const [first, second] = [new URL(path, local.base), new URL(path, bare.base)];
        const { headers } = local;
        const rates = await compareRates(
          { first: { urls: [first], headers }, second: { urls: [second], headers } },
          connections,
          size,
        );
        rows.push([connections, Math.round(rates.first), Math.round(rates.second), ratio(median(rates.ratios))]);
      }
      return table(['connections', 'local server, requests/s', 'bare HTTPS server, requests/s', 'ratio'], rows);
    } finally {
      await bare.stop();
    }
  } finally {
    await local.stop();
  }
}
