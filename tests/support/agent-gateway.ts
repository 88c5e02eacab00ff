import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { AgentGateway } from '../../gateway/relay/agent-gateway.ts';
import type { InventoryRequest } from '../../gateway/relay/inventory.ts';
import { type ClockSource, processClock } from '../../shared/core/monotonic-clock.ts';
import { AgentConnections } from '../../gateway/streams/connections.ts';
import type { Inventory } from './inventory.ts';

/** A report of a host, and its result. */
export interface ReportOutcome {
  pmmAgentId: string;
  entries: { agent_id: string; status: string }[];
  status: number;
  refused: { agent_id: string; reason: string }[];
}

/** Its timers are by default those of the process. */
export interface TestGatewayOptions extends ClockSource {
  pingMs?: number;
  feedMs?: number;
  /** Whether other gateways serve the same inventory. */
  hasPeers?: boolean;
  /** Called with each result of a report. */
  onReport?: (outcome: ReportOutcome) => void;
}

/** The agent gateway over plain HTTP/2, for an inventory of this process. Its clocks and its service are the test's. */
export interface TestGateway {
  port: number;
  /** The service cannot be reached. */
  isAway: boolean;
  /** Requests that could not be sent. */
  failures: number;
  /** Requests that were sent, by method and path without query. */
  requests: Map<string, number>;
  /** Requests without a reply so far. */
  pending: number;
  /** Its wall clock. */
  now: () => Date;
  /** Moves its monotonic clock, and leaves its timers as they are. */
  advance: (milliseconds: number) => void;
  stop: () => Promise<void>;
  /** All its connections break, and it reports nothing more. */
  kill: () => void;
}

const outcomesOf = (sent: any, { results }: any): ReportOutcome[] =>
  sent.reports.map(({ pmm_agent_id: pmmAgentId, agents }: any, index: number) => {
    const { status, report } = results[index];
    return { pmmAgentId, entries: agents, status, refused: report?.refused ?? [] };
  });

export async function startGatewayInProcess(
  inventory: Inventory,
  { onReport, monotonic = processClock, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  let ahead = 0;
  let isKilled = false;
  const send = async ({ method, path, body, as }: InventoryRequest) => {
    if (test.isAway || isKilled) {
      test.failures += 1;
      throw new Error('The service is away.');
    }
    const name = `${method} ${path.replace(/\?.*/, '')}`;
    test.requests.set(name, (test.requests.get(name) ?? 0) + 1);
    const headers: Record<string, string> = as === undefined ? {} : { Authorization: as.authorization };
    test.pending += 1;
    const { status, body: reply } = await inventory
      .request(method, path, {
        as: as === undefined ? 'Gateway' : null,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      .finally(() => (test.pending -= 1));
    if (onReport !== undefined && path === '/v1/reports' && status === 200)
      for (const outcome of outcomesOf(body, reply)) onReport(outcome);
    return { status, body: reply as unknown };
  };
  const gateway = new AgentGateway({
    send,
    log: (entry) => inventory.logged.push(entry),
    versions: { 2: '2.44.0', 3: '3.0.0' },
    clock: () => test.now(),
    monotonic: { ...monotonic, now: () => monotonic.now() + ahead },
    ...options,
  });
  const connections = new AgentConnections(1000, (stream) => void gateway.serve(stream), monotonic);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    connections.serve(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const test: TestGateway = {
    port: (server.address() as AddressInfo).port,
    isAway: false,
    failures: 0,
    requests: new Map(),
    pending: 0,
    now: () => inventory.dependencies.clock(),
    advance: (milliseconds) => (ahead += milliseconds),
    stop: async () => {
      server.close();
      await gateway.stop();
      await connections.close();
    },
    kill: () => {
      isKilled = true;
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
  return test;
}
