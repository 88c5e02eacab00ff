import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { openTable } from '../../shared/db/table.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { isWrite, meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { median, quantile } from '../statistics.ts';
import type { Targets } from '../targets.ts';

/** Number of concurrent adds of the preparation. */
const ADDS_AT_ONCE = 25;

/** What Retry-After says. */
const RETRY_MS = 1000;

/** The first report of a process and one that says something new cost the same: the one that was refused is billed too. */
const MOST_UNITS = 1;

const addedSchema = z.object({ node_id: z.optional(z.string()), agent_id: z.optional(z.string()) });

interface Host {
  nodeId: string;
  processId: string;
  exporterId: string;
}

interface Round {
  seconds: number;
  /** Milliseconds until each had its answer. */
  waited: number[];
  unitsEach: number;
  repeated: number;
}

/**
 * Agent processes that all report at the same moment: to functions in this process, their table beside them. Each function
 * has a connection of its own, as in the cloud.
 */
export async function heartbeatSection({ processes, heartbeatRounds }: Size, targets: Targets): Promise<string> {
  const { dependencies: shared, environment, stop } = await startInventory();
  const services = { ...shared, table: openTable(shared.table.name, environment, { maxSockets: 2 * processes }) };
  try {
    const { invoke } = await openInvocations(services);
    let repeated = 0;
    const send = async (id: string, method: string, url: string, body: object) => {
      for (;;) {
        const reply = await invoke(id, eventOf({ method, url, body }));
        if (reply.statusCode < 300) return reply.body;
        if (reply.statusCode !== 503) throw new Error(`${id}: ${reply.body}`);
        // As a client does.
        repeated += 1;
        await delay(RETRY_MS);
      }
    };
    const add = async (id: string, url: string, body: object) =>
      z.parse(addedSchema, JSON.parse(await send(id, 'POST', url, body)));
    const newHost = async (number: number): Promise<Host> => {
      const node = { node_type: 'generic', node_name: `db-${number}`, address: '10.0.0.1' };
      const { node_id: nodeId = '' } = await add('addNode', '/v1/nodes', node);
      const process = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
      const { agent_id: processId = '' } = await add('addAgent', '/v1/agents', process);
      const exporter = { agent_type: 'node_exporter', pmm_agent_id: processId };
      const { agent_id: exporterId = '' } = await add('addAgent', '/v1/agents', exporter);
      return { nodeId, processId, exporterId };
    };
    const hosts: Host[] = [];
    while (hosts.length < processes) {
      const count = Math.min(ADDS_AT_ONCE, processes - hosts.length);
      hosts.push(...(await Promise.all(Array.from({ length: count }, (_, index) => newHost(hosts.length + index)))));
    }

    const count = meter(services.table);
    const round = async (status: string): Promise<Round> => {
      const waited: number[] = [];
      repeated = 0;
      const start = performance.now();
      const calls = await count.during(() =>
        Promise.all(
          hosts.map(async ({ processId, exporterId }) => {
            const body = { agents: [{ agent_id: exporterId, status, listen_port: 42_000, version: '1.9.0' }] };
            await send('reportAgents', 'POST', `/v1/agents/${processId}/report`, body);
            waited.push(performance.now() - start);
          }),
        ),
      );
      const seconds = (performance.now() - start) / 1000;
      const units = calls.filter((call) => isWrite(call) && call.operation === 'UpdateItem');
      return { seconds, waited, repeated, unitsEach: units.reduce((sum, call) => sum + call.units, 0) / processes };
    };
    const rowOf = (what: string, rounds: readonly Round[]) => {
      const waited = rounds.flatMap((one) => one.waited);
      const unitsEach = Math.max(...rounds.map((one) => one.unitsEach));
      return [
        what,
        Math.round(processes / median(rounds.map(({ seconds }) => seconds))),
        Math.round(quantile(waited, 0.5)),
        Math.round(quantile(waited, 0.99)),
        rounds.reduce((sum, one) => sum + one.repeated, 0) / rounds.length,
        unitsEach.toFixed(2),
        targets.add({ name: `write units of ${what}`, value: unitsEach, limit: { atMost: MOST_UNITS }, unit: '' }),
      ];
    };
    const many = async (make: () => Promise<Round>) => {
      const rounds: Round[] = [];
      while (rounds.length < heartbeatRounds) rounds.push(await make());
      return rounds;
    };
    const first = await round('starting');
    const next = await round('running');
    const steady = await many(() => round('running'));
    let changes = 0;
    const beside = await many(async () => {
      changes += 1;
      const labels = { custom_labels: { round: String(changes) } };
      const [reports] = await Promise.all([
        round('running'),
        ...hosts.map(({ nodeId }) => send('changeNode', 'PATCH', `/v1/nodes/${nodeId}`, labels)),
      ]);
      return reports;
    });
    const rows = [
      rowOf('the first report', [first]),
      rowOf('another status', [next]),
      rowOf('what was said last', steady),
      rowOf('the same, while every node is changed', beside),
    ];
    const head = ['all at once', 'reports/s', 'p50, ms', 'p99, ms', '503, repeated', 'write units each', 'target'];
    return `${markdown([`${processes.toLocaleString('en')} processes, ${head[0] ?? ''}`, ...head.slice(1)], rows)}\n\nOf ${(changes * processes).toLocaleString('en')} changes at the same time none was refused. Times are from the moment at which all were sent.`;
  } finally {
    services.table.client.destroy();
    await stop();
  }
}
