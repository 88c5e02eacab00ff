import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { ensureCertificate } from '../../local/certificate.ts';
import { https, newDataDir, removeDataDir, startServer } from '../../tests/support/server.ts';
import type { Settings } from '../baseline/https-server.ts';
import { ADMIN_PASSWORD } from '../inventory.ts';
import { ratio, table } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';

const bareServer = fileURLToPath(new URL('../baseline/https-server.ts', import.meta.url));

async function startBare(settings: Settings): Promise<{ base: string; pid: number; stop: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [bareServer], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end(JSON.stringify(settings));
  const [port] = z.parse(z.tuple([z.string()]), await once(child.stdout.setEncoding('utf8'), 'data'));
  return {
    base: `https://localhost:${port.trim()}`,
    pid: child.pid ?? Number.NaN,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

interface Target {
  agent: Agent;
  url: URL;
  headers: Record<string, string>;
}

function get({ agent, url, headers }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode ?? 'none'}`));
      response.resume().on('end', () => resolve());
    });
    request.on('error', reject).end();
  });
}

/** Requests per second over several connections, each with one request at a time. */
async function requestsPerSecond(target: Target, connections: number, seconds: number): Promise<number> {
  let answered = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      await get(target);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return answered / ((performance.now() - start) / 1000);
}

const agentOf = (connections: number) =>
  new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });

/** The local server (authorizer, handler, engine) against a bare HTTPS server that answers the same bytes. */
export async function serverSection({ serverRounds, serverSeconds }: Size): Promise<string> {
  const folder = await newDataDir();
  const server = await startServer(folder, { environment: { ADMIN_PASSWORD } });
  try {
    const basic = { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}` };
    const post = async <T extends z.ZodMiniType>(path: string, body: object, schema: T): Promise<z.output<T>> =>
      z.parse(schema, JSON.parse((await https(server.base, 'POST', path, { headers: basic, body })).text));
    const { key } = await post('/v1/api-keys', { name: 'bench', role: 'Viewer' }, z.object({ key: z.string() }));
    const node = { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1' };
    const { node_id: id } = await post('/v1/nodes', node, z.object({ node_id: z.string() }));
    const headers = { Authorization: `Bearer ${key}` };
    const path = `/v1/nodes/${id}`;
    const reply = await https(server.base, 'GET', path, { headers });
    // What Node's server adds by itself would be there twice.
    const own = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
      typeof value !== 'string' || ['date', 'connection', 'keep-alive'].includes(name) ? [] : [[name, value]],
    );
    const certificate = await ensureCertificate(folder);
    const bare = await startBare({
      ...certificate,
      statusCode: reply.status,
      headers: Object.fromEntries(own),
      body: reply.text,
    });
    const cutOff = () => [server.pid, bare.pid].forEach((pid) => process.kill(pid));
    process.once('exit', cutOff);
    try {
      const rows = [];
      for (const connections of [1, 16]) {
        const agents = [agentOf(connections), agentOf(connections)] as const;
        const [local, baseline] = [server.base, bare.base].map((base, index) => ({
          agent: agents[index === 0 ? 0 : 1],
          url: new URL(path, base),
          headers,
        }));
        if (local === undefined || baseline === undefined) throw new Error('two servers are compared');
        const rates: { local: number[]; bare: number[] } = { local: [], bare: [] };
        for (let round = -1; round < serverRounds; round += 1) {
          const pair = [
            await requestsPerSecond(local, connections, serverSeconds),
            await requestsPerSecond(baseline, connections, serverSeconds),
          ] as const;
          if (round < 0) continue;
          rates.local.push(pair[0]);
          rates.bare.push(pair[1]);
        }
        for (const agent of agents) agent.destroy();
        const ratios = rates.local.map((rate, index) => rate / (rates.bare[index] ?? Number.NaN));
        rows.push([
          connections,
          Math.round(median(rates.local)),
          Math.round(median(rates.bare)),
          ratio(median(ratios)),
        ]);
      }
      return table(['connections', 'local server, requests/s', 'bare HTTPS server, requests/s', 'ratio'], rows);
    } finally {
      process.off('exit', cutOff);
      await bare.stop();
    }
  } finally {
    await server.stop();
    await removeDataDir(folder);
  }
}
