import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { newMachine } from '../support/machine.ts';
import { itemsOfObject, putItems } from '../support/stored-objects.ts';
import { KEY_USE, keyUseAttribute } from '../../functions/store/entities/key-use.ts';
import type { Report } from '../../functions/store/heartbeats/stored-report.ts';
import { publishStatesOnSchedule } from '../../functions/triggers/state-events/handler.ts';
import { processAttribute } from '../../functions/store/table/keys.ts';
import type { Entity } from '../../functions/store/entities/entity.ts';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { endpoints } from '../../functions/api/endpoints.ts';
import type { Item } from '../../shared/db/item.ts';
import type { Table } from '../../shared/db/table.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import type { Walk } from './growth.ts';
import { eventOf, openInvocations, type Invocations } from './invocation.ts';
import { storedBytes } from './item-size.ts';
import { indexesAreBuilt } from '../support/indexes.ts';
import { meter, type Meter } from './meter.ts';
import { TEST_TIME } from '../support/test-time.ts';

/** Times of the last reports are spread over this period, so that they compress as those of a fleet do. */
const REPORTED_WITHIN_MS = 240_000;

/** Prime: no two hosts have the same time. */
const SPREAD_MS = 7919;

/** Hosts whose items are weighed. */
const WEIGHED_HOSTS = 9;

/** Ids that look random to gzip and to the hash of a partition, and are the same in every run. */
function idSequence(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const digest = createHash('sha256').update(String(count)).digest('hex');
    const [first, second, third, fourth, fifth] = [0, 8, 12, 16, 20].map((start, index, all) =>
      digest.slice(start, all[index + 1] ?? 32),
    ) as [string, string, string, string, string];
    return `${first}-${second}-4${third.slice(1)}-8${fourth.slice(1)}-${fifth}`;
  };
}

/** A host's heartbeat attributes after its agent process has reported both exporters as running. */
function reported(host: readonly Entity[], at: number): Item {
  const agents = host.flatMap((entity) => (entity.kind === 'agent' ? [entity.object] : []));
  const [process, ...exporters] = agents;
  const said: Report = {
    at,
    agents: Object.fromEntries(exporters.map(({ agent_id: id }) => [id, ['running', 9100, '1.9.0'] as const])),
    // It was live for a day.
    history: [],
  };
  const ofHost = { secretDigest: '0'.repeat(64), sourceIp: '10.100.100.100' };
  const { [KEY_USE]: use } = keyUseAttribute(ofHost, new Date(at), undefined);
  return { [processAttribute(process!.agent_id)]: said, [KEY_USE]: use };
}

async function addHosts(table: Table, count: number): Promise<void> {
  const newId = idSequence();
  const now = TEST_TIME;
  // All hosts first: their times are near each other, as the stated sizes of bodies have them.
  const hosts = Array.from({ length: count }, (_, number) => newMachine(number, newId));
  const items = hosts.flatMap((host, number) => {
    const report = reported(host, now - ((number * SPREAD_MS) % REPORTED_WITHIN_MS));
    return host
      .flatMap(itemsOfObject)
      .map((item) => (String(item['pk']).startsWith('HEARTBEATS#') ? { ...item, ...report } : item));
  });
  await putItems(table, items);
  await indexesAreBuilt(table);
}

/** An inventory as in the cloud, without the seals of one machine. */
async function withHosts<Result>(
  count: number,
  work: (inventory: Inventory, counter: Meter) => Promise<Result>,
): Promise<Result> {
  let counter: Meter | undefined;
  const inventory = await startInventory({
    table: (table) => {
      counter = meter(table);
      return table;
    },
  });
  try {
    await addHosts(inventory.table, count);
    return await work(inventory, counter!);
  } finally {
    await inventory.stop();
  }
}

/** Requests that read a part of the inventory that grows with it: id, name, method, path and query. */
const requests = [
  ['discoverTargets', 'all targets', 'GET', '/v1/discovery/prometheus'],
  ['exportInventory', 'everything, in pages of 1,000', 'GET', '/v1/export?page_size=1000'],
  ['listNodes', 'all, in pages of 1,000', 'GET', '/v1/nodes?page_size=1000'],
  ['listNodes', 'all, with their states', 'GET', '/v1/nodes?page_size=1000&include=state'],
  ['listNodes', 'of a state that no node is in', 'GET', '/v1/nodes?page_size=1000&state=offline'],
  ['listServices', 'of a state that no node is in', 'GET', '/v1/services?page_size=1000&state=offline'],
  ['listAgents', 'of a state that no node is in', 'GET', '/v1/agents?page_size=1000&state=offline'],
  ['listClusters', 'all, in pages of 1,000', 'GET', '/v1/clusters?page_size=1000'],
  ['listClusters', 'all, with their regions', 'GET', '/v1/clusters?page_size=1000&include=region'],
  ['countGroups', 'nodes of a type by cluster', 'GET', '/v1/groups?group_by=cluster&type=generic'],
  ['countGroups', 'agents of a status by version', 'GET', '/v1/groups?kind=agent&group_by=version&status=running'],
  ['getSummary', 'a new one', 'GET', '/v1/summary'],
  ['cleanUp', 'nothing is due', 'POST', '/v1/cleanup'],
] as const;

/** The token of the next page: in the body, or in the last line of a body that has lines. */
function nextToken(body: string): string | undefined {
  const line = body.startsWith('[') ? undefined : body.trim().split('\n').at(-1);
  return line === undefined ? undefined : (JSON.parse(line) as { next_page_token?: string }).next_page_token;
}

async function walk(
  { invoke }: Invocations,
  counter: Meter,
  [id, , method, url]: (typeof requests)[number],
): Promise<Walk> {
  const walked: Walk = { requests: 0, readUnits: 0, bytes: 0 };
  let token: string | undefined;
  do {
    const page = token === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}page_token=${token}`;
    let body = '';
    const made = await counter.during(async () => {
      const event = eventOf({ method, url: page, ...(method === 'POST' ? { body: {} } : {}) });
      const reply = await invoke(id, event);
      if (reply.statusCode !== 200) throw new Error(`${id}: ${reply.body}`);
      body = reply.body;
    });
    walked.requests += 1;
    walked.readUnits += made.reduce((sum, { units }) => sum + units, 0);
    walked.bytes += gzipSync(body).length;
    token = nextToken(body);
  } while (token !== undefined);
  return walked;
}

async function walksAt(hosts: number): Promise<Walk[]> {
  return withHosts(hosts, async ({ dependencies }, counter) => {
    const invocations = await openInvocations(dependencies);
    // A process reads the secret of page tokens once.
    await invocations.invoke('listNodes', eventOf({ method: 'GET', url: '/v1/nodes?page_size=1' }));
    const walks: Walk[] = [];
    for (const request of requests) walks.push(await walk(invocations, counter, request));
    const pass = publishStatesOnSchedule(dependencies);
    const made = await counter.during(pass);
    walks.push({ requests: 1, readUnits: made.reduce((sum, { units }) => sum + units, 0), bytes: 0 });
    return walks;
  });
}

/** A request and what reading everything by it costs, at each of the measured sizes of the inventory. */
export interface MeasuredGrowth {
  function: string;
  request: string;
  walks: readonly Walk[];
}

/** Reads everything in an inventory with each of these host numbers, and counts the cost. */
export async function measureGrowth(sizes: readonly number[]): Promise<MeasuredGrowth[]> {
  const walked: Walk[][] = [];
  for (const hosts of sizes) walked.push(await walksAt(hosts));
  return [...requests, ['stateEvents', 'nothing has changed'] as const].map(([id, request], index) => ({
    function: id,
    request,
    walks: walked.map((walks) => walks[index]!),
  }));
}

/** A GET without parameters in its path, and what its smallest request reads. */
export interface MeasuredGet {
  function: string;
  readUnits: number;
}

/** What the GETs that no row states read in an inventory with this number of hosts: of a list, its first object. */
export async function measureOtherGets(hosts: number, stated: ReadonlySet<string>): Promise<MeasuredGet[]> {
  const gets = endpoints.filter(({ id, method, path }) => method === 'GET' && !path.includes('{') && !stated.has(id));
  return withHosts(hosts, async ({ dependencies }, counter) => {
    const invocations = await openInvocations(dependencies);
    const measured: MeasuredGet[] = [];
    for (const { id, path, query } of gets) {
      const url =
        query instanceof z.ZodMiniObject && Object.hasOwn(query.shape, 'page_size') ? `${path}?page_size=1` : path;
      const made = await counter.during(() => invocations.invoke(id, eventOf({ method: 'GET', url })));
      measured.push({ function: id, readUnits: made.reduce((sum, { units }) => sum + units, 0) });
    }
    return measured;
  });
}

/** Bytes that DynamoDB stores for a host. */
export async function measureStorage(): Promise<number> {
  const bytesIn = async (hosts: number) =>
    withHosts(hosts, async ({ table: { client, name } }) => {
      const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ TableName: name }));
      if (LastEvaluatedKey !== undefined) throw new Error('more items than a scan returns at once');
      return Items.reduce((sum, item) => sum + storedBytes(item), 0);
    });
  return Math.round(((await bytesIn(WEIGHED_HOSTS)) - (await bytesIn(0))) / WEIGHED_HOSTS);
}
