import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { AgentGateway } from '../../gateway/relay/agent-gateway.ts';
import type { InventoryReply, InventoryRequest } from '../../gateway/relay/inventory.ts';
import { AgentConnections, LISTEN_BACKLOG } from '../../gateway/streams/connections.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { gatewayQuestion, gatewaySettings } from './messages.ts';

// The gateway of the benchmark: the streams of the real one over a service in memory, which answers as slowly as one in the
// cloud. It counts the requests that the API would get.

/** Time of a request with 100 admissions, and of any other one. */
const ADMISSIONS_MS = 500;
const OTHER_MS = 50;

const counted = { requests: 0, admissions: 0, most: 0 };
let second = { at: 0, requests: 0 };

function count(): void {
  counted.requests += 1;
  const at = Math.floor(performance.now() / 1000);
  second = at === second.at ? { at, requests: second.requests + 1 } : { at, requests: 1 };
  counted.most = Math.max(counted.most, second.requests);
}

const pairs = z.object({ admissions: z.array(z.object({ pmm_agent_id: z.string() })) });
const reports = z.object({ reports: z.array(z.object({ pmm_agent_id: z.string() })) });

/** A host with an exporter of the node and one of a service. */
const admitted = ({ pmm_agent_id: id }: { pmm_agent_id: string }) => {
  const agent = { disabled: false, pmm_agent_id: id };
  return {
    status: 200,
    node_id: `node-${id}`,
    node_name: `host-${id}`,
    agents: [
      { ...agent, agent_id: `${id}-1`, agent_type: 'node_exporter', insights: { service_ids: [] } },
      { ...agent, agent_id: `${id}-2`, agent_type: 'mysqld_exporter', insights: { service_ids: [`s-${id}`] } },
    ],
    services: [{ service_id: `s-${id}`, service_name: `mysql-${id}`, address: '10.0.0.1', port: 3306 }],
  };
};

const taken = { status: 200, report: { report_after_seconds: 240, refused: [] } };

async function send({ path, body }: InventoryRequest): Promise<InventoryReply> {
  count();
  if (path === '/v1/gateway/admissions') {
    const { admissions } = z.parse(pairs, body);
    counted.admissions += admissions.length;
    await pause(ADMISSIONS_MS);
    return { status: 200, body: { results: admissions.map(admitted) } };
  }
  await pause(OTHER_MS);
  if (path === '/v1/reports')
    return { status: 200, body: { results: z.parse(reports, body).reports.map(() => taken) } };
  if (path.startsWith('/v1/changes')) return { status: 200, body: { changes: [], next: 'c', more: false } };
  return { status: 404, body: { message: `Not served: ${path}` } };
}

async function start(): Promise<void> {
  const text: unknown = (await once(process, 'message'))[0];
  const { port, max, pingMs, certificate } = z.parse(gatewaySettings, text);
  const gateway = new AgentGateway({
    send,
    log: () => undefined,
    clock: () => new Date(),
    monotonic: processClock,
    versions: { 2: '2.44.0', 3: '3.0.0' },
    pingMs,
  });
  const connections = new AgentConnections(max, (stream) => void gateway.serve(stream), processClock);
  const server: Server =
    certificate === undefined
      ? createServer({ allowHalfOpen: true }, (socket) => connections.serve(socket))
      : createTlsServer({ ...certificate, ALPNProtocols: ['h2'] }, (socket) => connections.serve(socket));
  await once(server.listen({ port, host: '127.0.0.1', backlog: LISTEN_BACKLOG }), 'listening');
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : port });
  process.on('message', (question: unknown) => {
    const { drainMs, collects } = z.parse(gatewayQuestion, question);
    if (drainMs !== undefined) {
      server.close();
      void gateway.drain(drainMs);
    }
    if (collects === true) globalThis.gc?.();
    const { rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const { streams } = gateway.numbers;
    process.send?.({ ...counted, streams, dropped: connections.dropped, rss, cpuMs: (user + system) / 1000 });
  });
}

process.once('disconnect', () => process.exit());
await start();
