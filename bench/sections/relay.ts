import { randomUUID } from 'node:crypto';
import { MAX_REPORTS } from '../../functions/domain/agent/report.ts';
import { lifeOf, REPORT_SHARE } from '../../functions/domain/fields/liveness.ts';
import { newRecord } from '../../functions/domain/fields/record.ts';
import { parsed } from '../../functions/store/entities/entity.ts';
import { newHeartbeat } from '../../functions/store/heartbeats/heartbeat.ts';
import { processAttribute } from '../../functions/store/table/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putItems, putObjects } from '../nodes.ts';
import { table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import type { Targets } from '../targets.ts';

/** Requests that the relay has open at once. */
const REQUESTS_AT_ONCE = 4;

/** Hosts that are added at once. */
const ADDED_AT_ONCE = 5000;

/** Seconds between two reports of a host, by the default timers. */
const INTERVAL_SECONDS = REPORT_SHARE * lifeOf({}).staleAfter;

/** Adds nodes with an agent process each. @returns the ids of the processes. */
async function addHosts(table: Table, first: number, count: number): Promise<string[]> {
  const now = new Date();
  const nodes = Array.from({ length: count }, (_, index) => newNode(first + index));
  const processes = nodes.map(({ node_id: id }) =>
    parsed('agent', {
      agent_id: randomUUID(),
      agent_type: 'pmm_agent',
      runs_on_node_id: id,
      insights: { node_ids: [], service_ids: [] },
      disabled: false,
      custom_labels: {},
      ...newRecord(now),
    }),
  );
  await putObjects(table, [...nodes.map((node) => parsed('node', node)), ...processes]);
  const ids = processes.map(({ object }) => object.agent_id);
  await putItems(
    table,
    nodes.map((node, index) => ({ ...newHeartbeat(node, now), [processAttribute(ids[index] ?? '')]: {} })),
  );
  return ids;
}

/**
 * A relay that reports for a fleet, 500 hosts in a request: the first time, again without news, and again after half of
 * stale_after. The target: a round takes less than the interval of the reports.
 */
export async function relaySection({ relayed }: Size, targets: Targets): Promise<string> {
  const { dependencies, stop } = await startInventory();
  try {
    const ids: string[] = [];
    while (ids.length < relayed)
      ids.push(...(await addHosts(dependencies.table, ids.length, Math.min(ADDED_AT_ONCE, relayed - ids.length))));
    let later = 0;
    const clock = () => new Date(Date.now() + later);
    const { invoke } = await openInvocations({ ...dependencies, clock });
    const count = meter(dependencies.table);
    const parts = Array.from({ length: Math.ceil(relayed / MAX_REPORTS) }, (_, index) =>
      ids.slice(index * MAX_REPORTS, (index + 1) * MAX_REPORTS),
    );
    const send = async (part: readonly string[]) => {
      const body = { reports: part.map((id) => ({ pmm_agent_id: id, agents: [] })) };
      const reply = await invoke('takeReports', eventOf({ method: 'POST', url: '/v1/reports', body }));
      const accepted = reply.body.split('"status":200').length - 1;
      if (reply.statusCode !== 200 || accepted !== part.length) throw new Error(reply.body.slice(0, 500));
    };
    const round = async (what: string) => {
      const waiting = parts.values();
      const start = performance.now();
      const calls = await count.during(async () => {
        const worker = async () => {
          for (const part of waiting) await send(part);
        };
        await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, worker));
      });
      const seconds = (performance.now() - start) / 1000;
      const units = (isWanted: (operation: string) => boolean) =>
        calls.filter((call) => isWanted(call.operation)).reduce((sum, call) => sum + call.units, 0) / relayed;
      const value = seconds / INTERVAL_SECONDS;
      return [
        what,
        seconds.toFixed(1),
        Math.round(relayed / seconds),
        units((operation) => operation !== 'UpdateItem').toFixed(2),
        units((operation) => operation === 'UpdateItem').toFixed(2),
        targets.add({ name: `time of a round, ${what}, over the interval`, value, limit: { atMost: 1 } }),
      ];
    };
    const rows = [await round('the first report'), await round('without news')];
    later = INTERVAL_SECONDS * 1000 * 1.5;
    rows.push(await round('without news, after half of stale_after'));
    const head = ['seconds', 'hosts/s', 'read units each', 'write units each', 'target'];
    return `${markdown([`${relayed.toLocaleString('en')} hosts, ${MAX_REPORTS} in a request`, ...head], rows)}\n\nThe interval is ${INTERVAL_SECONDS} s.`;
  } finally {
    await stop();
  }
}
