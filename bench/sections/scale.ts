import { randomUUID } from 'node:crypto';
import { newRecord } from '../../functions/domain/fields/record.ts';
import { processAttribute } from '../../functions/store/table/keys.ts';
import { newHeartbeat } from '../../functions/store/heartbeats/heartbeat.ts';
import { parsed } from '../../functions/store/entities/entity.ts';
import type { Table } from '../../shared/db/table.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { startInventory } from '../inventory.ts';
import { newNode, putItems, putObjects, putObjectsAlone } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

const TIMED_ROUNDS = 9;

/** How many objects are in memory at once. */
const AT_ONCE = 2000;

/** Nodes with the label that the selector asks for, and nodes that are offline, at any size. */
const RARE = 50;

/** Number of nodes of which one has an exporter. */
const NODES_OF_AN_EXPORTER = 10;

/** Targets in a part of the discovery, at any size. */
const TARGETS_OF_A_PART = 1000;

const MAX_PARTS = 64;

/** Read units at the larger size, over those at the smaller one. */
const MOST_GROWTH = 1.1;

/** What is measured at one size, by question. */
type Measurements = Map<string, { units: number; milliseconds: number }>;

/** The objects themselves and their heartbeats; other items only where a question needs them. */
async function fill(table: Table, count: number): Promise<void> {
  const every = count / RARE;
  const long = Date.now() - 7 * 86_400_000;
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => first + index);
    const nodes = numbers.map((number) => {
      const node = newNode(number);
      const custom_labels = number % every === 0 ? { ...node.custom_labels, rack: 'r1' } : node.custom_labels;
      return parsed('node', { ...node, custom_labels });
    });
    const isRare = ({ object }: (typeof nodes)[number]) => object.custom_labels['rack'] !== undefined;
    await putObjectsAlone(
      table,
      nodes.filter((node) => !isRare(node)),
    );
    await putObjects(table, nodes.filter(isRare));
    await putItems(
      table,
      nodes.map((node) => ({
        ...newHeartbeat(node.object, new Date()),
        [processAttribute('process')]: isRare(node) ? { at: long, agents: {} } : {},
      })),
    );
    const exporters = nodes
      .filter((_, index) => index % NODES_OF_AN_EXPORTER === 0)
      .map(({ object: { node_id: id } }) =>
        parsed('agent', {
          agent_id: randomUUID(),
          agent_type: 'external_exporter',
          runs_on_node_id: id,
          insights: { node_ids: [id], service_ids: [] },
          disabled: false,
          listen_port: 9100,
          push_metrics: false,
          scheme: 'http',
          metrics_path: '/metrics',
          tls_skip_verify: false,
          custom_labels: {},
          ...newRecord(new Date()),
        }),
      );
    await putObjectsAlone(table, exporters);
  }
}

async function measure(count: number): Promise<Measurements> {
  const { dependencies, stop } = await startInventory();
  try {
    await fill(dependencies.table, count);
    const { invoke } = await openInvocations(dependencies);
    const counted = meter(dependencies.table);
    const targets = count / NODES_OF_AN_EXPORTER;
    const parts = Math.min(MAX_PARTS, Math.ceil(targets / TARGETS_OF_A_PART));
    const add = (number: number) => {
      const body = { node_type: 'generic', node_name: `new-${number}`, address: '10.0.0.1' };
      return invoke('addNode', eventOf({ method: 'POST', url: '/v1/nodes', body }));
    };
    for (let number = 0; number < 100; number += 1) await add(number);
    const results: Measurements = new Map();
    const question = async (name: string, id: string, url: string, share = 1) => {
      const ask = async () => {
        const { statusCode, body } = await invoke(id, eventOf({ method: 'GET', url }));
        if (statusCode !== 200) throw new Error(`${url}: ${body}`);
      };
      const calls = await counted.during(ask);
      const times: number[] = [];
      for (let round = 0; round < TIMED_ROUNDS; round += 1) {
        const start = performance.now();
        await ask();
        times.push(performance.now() - start);
      }
      const units = calls.reduce((sum, call) => sum + call.units, 0);
      results.set(name, { units: units / share, milliseconds: median(times) / share });
    };
    await question('the first page of nodes', 'listNodes', '/v1/nodes');
    await question('nodes with a name prefix', 'listNodes', '/v1/nodes?name_prefix=db-00099');
    await question(`a selector that ${RARE} nodes match`, 'listNodes', '/v1/nodes?selector=rack%3Dr1&page_size=100');
    await question('a page of the nodes that are offline', 'listNodes', '/v1/nodes?state=offline');
    await question('100 changes', 'listChanges', '/v1/changes');
    const part = parts === 1 ? '' : `?shard=1/${parts}`;
    await question('a target of a part', 'discoverTargets', `/v1/discovery/prometheus${part}`, targets / parts);
    return results;
  } finally {
    await stop();
  }
}

/** What requests cost at two sizes of the inventory: the same, if they scale. */
export async function scaleSection({ inventories: [small, large] }: Size, verdicts: Targets): Promise<string> {
  const [few, many] = [await measure(small), await measure(large)];
  const rows = [...few].map(([name, at]) => {
    const then = many.get(name) ?? { units: NaN, milliseconds: NaN };
    const value = then.units / at.units;
    return [
      name,
      at.units.toFixed(2),
      then.units.toFixed(2),
      ratio(value),
      verdicts.add({ name: `read units of ${name}, over a small inventory`, value, limit: { atMost: MOST_GROWTH } }),
      at.milliseconds.toFixed(1),
      then.milliseconds.toFixed(1),
    ];
  });
  const [less, more] = [small, large].map((count) => count.toLocaleString('en'));
  return markdown(
    ['request', `read units, ${less} nodes`, `${more} nodes`, 'ratio', 'target', `ms, ${less} nodes`, `${more} nodes`],
    rows,
  );
}
