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

function reportOf(host: readonly Entity[], isAsked: boolean, at: number): Item {
  const agents = host.flatMap((entity) => (entity.kind === 'agent' ? [entity.object] : []));
  const [process, ...exporters] = agents;
  const status = isAsked ? 'waiting' : 'running';
  const said: Report = {
    at: isAsked ? at - 3_600_000 : at,
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
      const report = reportOf(host, isAsked, TEST_TIME - ((number * 7919) % 240_000));
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

/** Requests whose reply is the same in every inventory: id, path and query, and the way. */
export const flatRequests: readonly (readonly [id: string, url: string, way: Way])[] = [
  ['listNodes', '/v1/nodes?region=asked', 'index'],
  ['listNodes', '/v1/nodes?az=asked-a&include=state', 'index'],
  ['listNodes', '/v1/nodes?region=asked&total=true&page_size=1', 'index'],
  ['listNodes', '/v1/nodes?cluster=asked-1', 'index'],
  ['listNodes', '/v1/nodes?selector=team%3Dasked', 'index'],
  ['listNodes', '/v1/nodes?selector=team%3Dasked&state=offline', 'index'],
  ['listNodes', '/v1/nodes?address=$address', 'index'],
  ['listNodes', '/v1/nodes?selector=address%3D$address', 'index'],
  ['listNodes', '/v1/nodes?node_type=generic&page_size=12', 'index'],
  ['listNodes', '/v1/nodes?page_size=12&include=state', 'index'],
  ['listNodes', '/v1/nodes?name_prefix=$name', 'index'],
  ['listServices', '/v1/services?cluster=asked-1', 'index'],
  ['listServices', '/v1/services?environment=asked', 'index'],
  ['listServices', '/v1/services?region=asked', 'index'],
  ['listServices', '/v1/services?az=asked-a', 'index'],
  ['listServices', '/v1/services?group=asked', 'index'],
  ['listServices', '/v1/services?node_id=$node', 'index'],
  ['listServices', '/v1/services?service_type=mysql&page_size=12', 'index'],
  ['listServices', '/v1/services?address=$address', 'index'],
  ['listServices', '/v1/services?selector=team%3Dasked', 'index'],
  ['listAgents', '/v1/agents?region=asked', 'index'],
  ['listAgents', '/v1/agents?cluster=asked-1', 'index'],
  ['listAgents', '/v1/agents?az=asked-a', 'index'],
  ['listAgents', '/v1/agents?runs_on_node_id=$node', 'index'],
  ['listAgents', '/v1/agents?node_id=$node', 'index'],
  ['listAgents', '/v1/agents?agent_type=mysqld_exporter&page_size=12', 'index'],
  ['listAgents', '/v1/agents?environment=asked&status=waiting', 'index'],
  ['listAgents', '/v1/agents?region=asked&version=2.0', 'index'],
  ['listClusters', '/v1/clusters?name_prefix=asked', 'index'],
  ['listClusters', '/v1/clusters?name_prefix=asked&include=region', 'index'],
  ['listClusters', '/v1/clusters?page_size=3', 'index'],
  ['discoverTargets', '/v1/discovery/prometheus?selector=team%3Dasked', 'index'],
  ['discoverTargets', '/v1/discovery/prometheus?selector=region%3Dasked', 'index'],
  ['countGroups', '/v1/groups?kind=service&group_by=version&cluster=asked-1', 'index'],
  ['countGroups', '/v1/groups?kind=agent&group_by=status&region=asked', 'index'],
  ['countGroups', '/v1/groups?group_by=cluster&selector=team%3Dasked', 'index'],
  ['countGroups', '/v1/groups?group_by=state', 'kept'],
  ['countGroups', '/v1/groups?group_by=type', 'kept'],
  ['countGroups', '/v1/groups?group_by=region', 'kept'],
  ['countGroups', '/v1/groups?group_by=region&state=offline', 'kept'],
  ['countGroups', '/v1/groups?group_by=az', 'kept'],
  ['countGroups', '/v1/groups?group_by=owner', 'kept'],
  ['countGroups', '/v1/groups?group_by=labels.team', 'kept'],
  ['countGroups', '/v1/groups?kind=service&group_by=version', 'kept'],
  ['countGroups', '/v1/groups?kind=service&group_by=environment', 'kept'],
  ['countGroups', '/v1/groups?kind=service&group_by=region', 'kept'],
  ['countGroups', '/v1/groups?kind=service&group_by=owner', 'kept'],
  ['countGroups', '/v1/groups?kind=agent&group_by=version', 'kept'],
  ['countGroups', '/v1/groups?kind=agent&group_by=status', 'kept'],
  ['countGroups', '/v1/groups?kind=agent&group_by=az', 'kept'],
  ['countGroups', '/v1/groups?kind=agent&group_by=environment', 'kept'],
  ['getSummary', '/v1/summary', 'kept'],
  ['getMetrics', '/v1/metrics', 'kept'],
  ['listNodes', '/v1/nodes?total=true&page_size=1', 'kept'],
  ['listNodes', '/v1/nodes?state=offline', 'walk'],
  ['listServices', '/v1/services?state=offline', 'walk'],
  ['listAgents', '/v1/agents?status=waiting', 'walk'],
  ['listAgents', '/v1/agents?version=2.0', 'walk'],
  ['listServices', '/v1/services?version=9.9', 'walk'],
  ['listNodes', '/v1/nodes?updated_since=2100-01-01T00:00:00Z', 'walk'],
  ['countGroups', '/v1/groups?kind=agent&group_by=version&type=mysqld_exporter', 'walk'],
  ['countGroups', '/v1/groups?group_by=cluster', 'walk'],
  ['cleanUp', '/v1/cleanup', 'walk'],
];

export interface FlatCost {
  request: string;
  way: Way;
  readUnits: number;
  /** Objects, groups or targets in the reply; undefined for other replies. */
  size: number | undefined;
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
    for (const [id, pattern, way] of flatRequests) {
      const { address, node_name: name, node_id: node } = first.object as unknown as Record<string, string>;
      const url = pattern.replace('$address', address!).replace('$name', name!).replace('$node', node!);
      let body = '';
      const made = await counter!.during(async () => void (body = await send(id, url)));
      const readUnits = made.reduce((sum, { units }) => sum + units, 0);
      costs.push({ request: `${id} ${decodeURIComponent(pattern)}`, way, readUnits, size: sizeOf(body) });
    }
    return costs;
  } finally {
    await inventory.stop();
  }
}
