import { createHash } from 'node:crypto';
import type { Item } from '../../shared/db/item.ts';
import type { Table } from '../../shared/db/table.ts';
import { type Entity, toEntity } from '../../functions/store/entities/entity.ts';
import type { Report } from '../../functions/store/heartbeats/stored-report.ts';
import { getSummary } from '../../functions/store/summary/summary.ts';
import { processAttribute } from '../../functions/store/table/keys.ts';
import { startInventory } from '../support/inventory.ts';
import { indexesAreBuilt } from '../support/indexes.ts';
import { newMachine } from '../support/machine.ts';
import { itemsOfObject, putItems } from '../support/stored-objects.ts';
import { TEST_TIME } from '../support/test-time.ts';
import { eventOf, openInvocations } from './invocation.ts';
import { meter } from './meter.ts';

/** Hosts that the requests ask for: as many in every inventory. */
const ASKED = 12;

const ids = (seed: string) => {
  let count = 0;
  return () => {
    count += 1;
    const digest = createHash('sha256').update(`${seed} ${count}`).digest('hex');
    return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  };
};

/** A node, its agents and two services in a cluster. One that is asked for has other values and another exporter version. */
function hostOf(number: number, isAsked: boolean, newId: () => string): Entity[] {
  return newMachine(number, newId).flatMap(({ kind, object }) => {
    const labels = { custom_labels: { team: isAsked ? 'asked' : `team-${number % 20}` } };
    if (kind === 'node') {
      const place = isAsked ? { region: 'asked', az: 'asked-a' } : { region: `region-${number % 7}`, az: 'a' };
      return [toEntity(kind, { ...object, ...place, ...labels })];
    }
    if (kind === 'agent') return [toEntity(kind, { ...object })];
    const cluster = isAsked ? `asked-${number % 3}` : `other-${Math.floor(number / 3)}`;
    const environment = isAsked ? 'asked' : 'prod';
    const service = { ...object, cluster, environment, ...(isAsked ? { group: 'asked' } : {}), ...labels };
    const proxy = { ...service, service_id: newId(), service_name: `proxy-${service.service_name}`, port: 6033 };
    return [toEntity(kind, service), toEntity(kind, proxy)];
  });
}

/** Of the hosts that are asked for, every other one is offline. */
const isOffline = (number: number) => number < ASKED && number % 2 === 0;

function reportOf(host: readonly Entity[], number: number): Item {
  const isAsked = number < ASKED;
  const agents = host.flatMap((entity) => (entity.kind === 'agent' ? [entity.object] : []));
  const [process, ...exporters] = agents;
  const status = isAsked ? 'waiting' : 'running';
  const said: Report = {
    at: TEST_TIME - (isOffline(number) ? 3_600_000 : (number * 7919) % 240_000),
    agents: Object.fromEntries(
      exporters.map(({ agent_id: id }) => [id, [status, 9100, isAsked ? '2.0' : '1.9'] as const]),
    ),
    history: [],
  };
  return { [processAttribute(process!.agent_id)]: said };
}

/** Writes hosts that have reported, past the API, and that their index entries are there. */
export async function putFleet(table: Table, hosts: number): Promise<void> {
  for (let start = 0; start < hosts + ASKED; start += 1000) {
    const numbers = Array.from({ length: Math.min(1000, hosts + ASKED - start) }, (_, index) => start + index);
    const items = numbers.flatMap((number) => {
      const isAsked = number < ASKED;
      const host = hostOf(number, isAsked, ids(`host ${number}`));
      const report = reportOf(host, number);
      return host
        .flatMap(itemsOfObject)
        .map((item) => (String(item['pk']).startsWith('HEARTBEATS#') ? { ...item, ...report } : item));
    });
    await putItems(table, items);
  }
  await indexesAreBuilt(table);
}

/** How a request is answered, as far as its cost depends on the inventory. */
type Way = 'index' | 'walk' | 'kept';

/**
 * Requests whose reply is the same in every inventory: id, path and query, the way, and the number of objects, groups or targets in the
 * reply, so that a read that finds nothing is not taken for a cheap one. Only the clusters of nodes grow, as they do in a fleet.
 */
export const flatRequests: readonly (readonly [id: string, url: string, way: Way, size?: number])[] = [
  ['listNodes', '/v1/nodes?region=asked', 'index', 12],
  ['listNodes', '/v1/nodes?az=asked-a&include=state', 'index', 12],
  ['listNodes', '/v1/nodes?region=asked&total=true&page_size=1', 'index', 1],
  ['listNodes', '/v1/nodes?cluster=asked-1', 'index', 4],
  ['listNodes', '/v1/nodes?selector=team%3Dasked', 'index', 12],
  ['listNodes', '/v1/nodes?selector=team%3Dasked&state=offline', 'index', 6],
  ['listNodes', '/v1/nodes?address=$address', 'index', 1],
  ['listNodes', '/v1/nodes?selector=address%3D$address', 'index', 1],
  ['listNodes', '/v1/nodes?node_type=generic&page_size=12', 'index', 12],
  ['listNodes', '/v1/nodes?page_size=12&include=state', 'index', 12],
  ['listNodes', '/v1/nodes?name_prefix=$name', 'index', 1],
  ['listServices', '/v1/services?cluster=asked-1', 'index', 8],
  ['listServices', '/v1/services?environment=asked', 'index', 24],
  ['listServices', '/v1/services?region=asked', 'index', 24],
  ['listServices', '/v1/services?az=asked-a', 'index', 24],
  ['listServices', '/v1/services?group=asked', 'index', 24],
  ['listServices', '/v1/services?node_id=$node', 'index', 2],
  ['listServices', '/v1/services?service_type=mysql&page_size=12', 'index', 12],
  ['listServices', '/v1/services?address=$address', 'index', 2],
  ['listServices', '/v1/services?selector=team%3Dasked', 'index', 24],
  ['listAgents', '/v1/agents?region=asked', 'index', 36],
  ['listAgents', '/v1/agents?cluster=asked-1', 'index', 4],
  ['listAgents', '/v1/agents?az=asked-a', 'index', 36],
  ['listAgents', '/v1/agents?runs_on_node_id=$node', 'index', 3],
  ['listAgents', '/v1/agents?node_id=$node', 'index', 1],
  ['listAgents', '/v1/agents?agent_type=mysqld_exporter&page_size=12', 'index', 12],
  ['listAgents', '/v1/agents?environment=asked&status=waiting', 'index', 6],
  ['listAgents', '/v1/agents?region=asked&version=2.0', 'index', 24],
  ['listClusters', '/v1/clusters?name_prefix=asked', 'index', 3],
  ['listClusters', '/v1/clusters?name_prefix=asked&include=region', 'index', 3],
  ['listClusters', '/v1/clusters?page_size=3', 'index', 3],
  ['discoverTargets', '/v1/discovery/prometheus?selector=team%3Dasked', 'index', 24],
  ['discoverTargets', '/v1/discovery/prometheus?selector=region%3Dasked', 'index', 24],
  ['countGroups', '/v1/groups?kind=service&group_by=version&cluster=asked-1', 'index', 1],
  ['countGroups', '/v1/groups?kind=agent&group_by=status&region=asked', 'index', 3],
  ['countGroups', '/v1/groups?group_by=cluster&selector=team%3Dasked', 'index', 3],
  ['countGroups', '/v1/groups?group_by=state', 'kept', 2],
  ['countGroups', '/v1/groups?group_by=type', 'kept', 1],
  ['countGroups', '/v1/groups?group_by=region', 'kept', 8],
  ['countGroups', '/v1/groups?group_by=region&state=offline', 'kept', 1],
  ['countGroups', '/v1/groups?group_by=az', 'kept', 2],
  ['countGroups', '/v1/groups?group_by=agent_version', 'kept', 2],
  ['countGroups', '/v1/groups?group_by=owner', 'kept', 21],
  ['countGroups', '/v1/groups?group_by=labels.team', 'kept', 21],
  ['countGroups', '/v1/groups?kind=service&group_by=version', 'kept', 1],
  ['countGroups', '/v1/groups?kind=service&group_by=environment', 'kept', 2],
  ['countGroups', '/v1/groups?kind=service&group_by=region', 'kept', 8],
  ['countGroups', '/v1/groups?kind=service&group_by=owner', 'kept', 21],
  ['countGroups', '/v1/groups?kind=agent&group_by=version', 'kept', 3],
  ['countGroups', '/v1/groups?kind=agent&group_by=status', 'kept', 4],
  ['countGroups', '/v1/groups?kind=agent&group_by=az', 'kept', 2],
  ['countGroups', '/v1/groups?kind=agent&group_by=environment', 'kept', 3],
  ['getSummary', '/v1/summary', 'kept'],
  ['getMetrics', '/v1/metrics', 'kept'],
  ['listNodes', '/v1/nodes?total=true&page_size=1', 'kept', 1],
  ['listNodes', '/v1/nodes?state=offline', 'walk', 6],
  ['listServices', '/v1/services?state=offline', 'walk', 12],
  ['listAgents', '/v1/agents?status=waiting', 'walk', 12],
  ['listAgents', '/v1/agents?version=2.0', 'walk', 24],
  ['listServices', '/v1/services?version=9.9', 'walk', 0],
  ['listNodes', '/v1/nodes?updated_since=2100-01-01T00:00:00Z', 'walk', 0],
  ['countGroups', '/v1/groups?kind=agent&group_by=version&type=mysqld_exporter', 'kept', 2],
  ['countGroups', '/v1/groups?group_by=cluster', 'kept'],
  ['cleanUp', '/v1/cleanup', 'walk'],
];

export interface FlatCost {
  request: string;
  way: Way;
  readUnits: number;
  /** Objects, groups or targets in the reply; undefined for other replies. */
  size: number | undefined;
  /** How many are expected; undefined if the reply has none, or as many as the inventory. */
  expected: number | undefined;
}

function sizeOf(body: string): number | undefined {
  const reply: unknown = body.startsWith('#') ? undefined : JSON.parse(body);
  const list = Array.isArray(reply) ? reply : Object.values(reply ?? {}).find((value) => Array.isArray(value));
  return (list as unknown[] | undefined)?.length;
}

/** The read units of these requests in an inventory of this many other hosts. */
export async function measureFlat(hosts: number): Promise<FlatCost[]> {
  let counter: ReturnType<typeof meter> | undefined;
  const inventory = await startInventory({ table: (table) => ((counter = meter(table)), table) });
  try {
    await putFleet(inventory.table, hosts);
    const first = hostOf(0, true, ids('host 0'))[0]!;
    const { invoke } = await openInvocations(inventory.dependencies);
    const send = async (id: string, url: string) => {
      const request = id === 'cleanUp' ? { method: 'POST', url, body: { dry_run: true } } : { method: 'GET', url };
      const reply = await invoke(id, eventOf(request));
      if (reply.statusCode !== 200) throw new Error(`${id}: ${reply.body}`);
      return reply.body;
    };
    // The page token secret is read once in the life of a process; the summary of all objects is computed in parts.
    await send('listNodes', '/v1/nodes?page_size=1');
    const { table, clock } = inventory.dependencies;
    while ((await getSummary(table, clock)).isPartial);
    const costs: FlatCost[] = [];
    for (const [id, pattern, way, expected] of flatRequests) {
      const { address, node_name: name, node_id: node } = first.object as unknown as Record<string, string>;
      const url = pattern.replace('$address', address!).replace('$name', name!).replace('$node', node!);
      let body = '';
      const made = await counter!.during(async () => void (body = await send(id, url)));
      const readUnits = made.reduce((sum, { units }) => sum + units, 0);
      costs.push({ request: `${id} ${decodeURIComponent(pattern)}`, way, readUnits, size: sizeOf(body), expected });
    }
    return costs;
  } finally {
    await inventory.stop();
  }
}
