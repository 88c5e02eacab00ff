import { MAX_REPEATS } from '../support/busy.ts';
import { ReadFailure } from '../../shared/db/contention.ts';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Table } from '../../shared/db/table.ts';
import { shapeOf } from '../support/item-shapes.ts';
import { auditViolations } from './audit.ts';
import { CHANGE, changeViolations } from './changes.ts';
import { groupViolations, HEARTBEAT_GROUP } from './groups.ts';
import { mayGiveInsight } from './rules.ts';
import { sessionViolations } from './sessions.ts';
import { STATE_CHANGE, stateViolations } from './states.ts';
import { TEST_TIME } from '../support/test-time.ts';

/*
 * The keys are spelled out here once more, from the item table and not by calling the code under test: a mistake in the
 * building of keys must not hide itself.
 */

type Fields = Record<string, any>;

/** The types of agents that report for their node. */
const reporters: ReadonlySet<unknown> = new Set(['pmm_agent', 'otel_collector']);

export interface CheckOptions {
  /** When the check takes place, in milliseconds. Default: the time of tests. */
  now?: number;
  /** A removal in steps is under way or was cut off: what it closed may be closed. */
  inProgress?: boolean;
  /** Reads the API, to compare its lists with the table. Needs a table at rest. */
  read?: (path: string) => Promise<{ status: number; body: any }>;
}

/** The item of an object with the fields of the object: its id is in the key, its name in the index, others are JSON. */
export function withFields(item: Item): Item {
  const { json, ...rest } = item;
  if (typeof json !== 'string') return item;
  const [, kind = '', id = ''] = /^(NODE|SERVICE|AGENT)#(.*)$/s.exec(String(item['pk'])) ?? [];
  const name = kind === 'AGENT' ? {} : { [`${kind.toLowerCase()}_name`]: item['list_sk'] };
  const fields = { [`${kind.toLowerCase()}_id`]: id, ...name, ...(JSON.parse(json) as Item) };
  const differing = Object.keys(fields).filter((name) => name in rest && !isDeepStrictEqual(fields[name], rest[name]));
  if (differing.length > 0) throw new Error(`${json} says otherwise than its item about ${differing.join()}`);
  return { ...fields, ...rest };
}

/** The engine of a busy machine needs longer for a page of a large table than a request waits. */
async function readPatiently<Output>(read: () => Promise<Output>): Promise<Output> {
  for (let repeats = MAX_REPEATS; ; repeats -= 1)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ReadFailure) || repeats === 0) throw error;
    }
}

/** Every item of the base table, strongly consistent, with the fields of objects. Only tests may ask this. */
export async function scan({ client, name }: Table): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({
      TableName: name,
      ConsistentRead: true,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    const page = await readPatiently(() => client.send(command));
    items.push(...(page.Items ?? []).map(withFields));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

const ACCESS =
  /^(KEY#|KEY_ID#|API_KEYS$|ACCOUNT#|SECRET#|ENROLMENT#|ENROLMENT_TOKENS$|RATE#|AUDIT#|SESSION#|SESSION_ID#|SESSIONS$|USERS$|ROLE_BINDINGS$|PROVIDER#|LOGIN#|DEVICE#|USER_CODE#)/;

/** What was done under an Idempotency-Key, kept for a day, whatever becomes of it. */
const DONE = /^IDEMPOTENCY#/;

/** Starts of collectors: each ends by its time to live. */
const SESSIONS_OF_COLLECTORS = /^OPAMP#/;

/** What was removed and can be restored, kept for a week. */
export const REMOVAL = /^REMOVALS$/;

const HEARTBEAT = /^HEARTBEATS#[0-9a-f]$/;

/** Silences and saved filters refer to no object. */
const SILENCES_AND_FILTERS = /^(SILENCES$|SAVED_FILTERS#|ADDITIONS#)/;

/** What is to be done within a scope, kept for a day. */
const PLANNED = /^(RECONCILIATION#|FAILED_RECONCILIATIONS$)/;

/** What summarises the inventory, and how far cleanups and passes over states have come. */
const NOTES = /^(SUMMARY|CLEANUP|STATE_PASS)$/;

/** A name that was released keeps the time of the release for an hour. */
const isReleased = ({ pk, released_at: time, owner_id: owner }: Item) =>
  /^(NODE|SERVICE)_NAME#/.test(String(pk)) && typeof time === 'number' && owner === undefined;

/** Items of nodes, services and agents, as opposed to those of keys, accounts, secrets and past requests. */
export function inventoryItems(items: readonly Item[]): Item[] {
  return items.filter(
    ({ pk, ...item }) =>
      !isReleased({ pk, ...item }) &&
      ![ACCESS, DONE, SESSIONS_OF_COLLECTORS, CHANGE, STATE_CHANGE, REMOVAL, SILENCES_AND_FILTERS, PLANNED, NOTES].some(
        (other) => other.test(String(pk)),
      ),
  );
}

/** Takes every node, service and agent out of the table, past the API, and that they were ever there. */
export async function wipe(table: Table): Promise<void> {
  const items = await scan(table);
  const changes = items.filter(({ pk }) => [CHANGE, STATE_CHANGE, REMOVAL].some((pattern) => pattern.test(String(pk))));
  const keys = [...inventoryItems(items), ...items.filter(isReleased), ...changes].map(({ pk, sk }) => ({ pk, sk }));
  for (let start = 0; start < keys.length; start += 25) {
    const requests = keys.slice(start, start + 25).map((Key) => ({ DeleteRequest: { Key } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
  }
}

/**
 * Every violation of the invariants (design, section 3), each as a sentence; none for a sound table. Not atomic: the
 * table must be at rest.
 */
export async function checkInvariants(table: Table, options: CheckOptions = {}): Promise<string[]> {
  const items = await scan(table);
  const violations = violationsIn(items, options);
  if (options.read === undefined) return violations;
  return [...violations, ...(await listViolations(items, options.read))];
}

const idFields = { NODE: 'node_id', SERVICE: 'service_id', AGENT: 'agent_id' } as const;

type ObjectSort = keyof typeof idFields;

function isObject(item: Item): boolean {
  return Object.hasOwn(idFields, String(item['sk'])) && String(item['pk']).startsWith(`${String(item['sk'])}#`);
}

/** The ids of all nodes, services and agents. */
export function objectIds(items: readonly Item[]): Set<string> {
  return new Set(items.filter(isObject).map((item) => String(item[idFields[item['sk'] as ObjectSort]])));
}

function objectsOf(items: readonly Item[], sort: ObjectSort): Fields[] {
  return items.filter((item) => isObject(item) && item['sk'] === sort);
}

const named = (item: Fields) => {
  const name = item['node_name'] ?? item['service_name'] ?? item['agent_type'];
  return `${String(item['pk'])} (${JSON.stringify(name)})`;
};

const keyOf = ({ pk, sk }: Item) => `${String(pk)} | ${String(sk)}`;

/** Items that must be there because of others, and what is said when they are not. */
const isCounterOfNodes = ({ pk, sk }: Item) => pk === 'API_KEYS' && String(sk).startsWith('COUNTER#');

class Demands {
  readonly violations: string[] = [];
  readonly #wanted = new Map<string, { attributes: Fields; why: string }>();

  say(violation: string): void {
    this.violations.push(violation);
  }

  want(pk: string, sk: string, attributes: Fields, why: string): void {
    const key = keyOf({ pk, sk });
    const other = this.#wanted.get(key);
    if (other !== undefined) this.say(`${key} would have to stand for two: ${other.why}, and ${why}.`);
    this.#wanted.set(key, { attributes, why });
  }

  /** Compares with the items of the table. Attributes named in `optional` may be absent or `true`. */
  meet(items: readonly Item[], optional: readonly string[]): void {
    const present = new Map(items.map((item) => [keyOf(item), item]));
    for (const [key, { attributes, why }] of this.#wanted) {
      const item = present.get(key);
      if (item === undefined) {
        this.say(`${key} is missing: ${why}.`);
        continue;
      }
      const { pk: _pk, sk: _sk, ...fields } = item;
      const rest = Object.fromEntries(
        Object.entries(fields).filter(([name, value]) => !(optional.includes(name) && value === true)),
      );
      if (!isDeepStrictEqual(rest, attributes))
        this.say(`${key} holds ${JSON.stringify(fields)} instead of ${JSON.stringify(attributes)}: ${why}.`);
    }
    for (const key of present.keys()) if (!this.#wanted.has(key)) this.say(`${key} belongs to nothing.`);
  }
}

const escaped = (part: string) => part.replaceAll('%', '%25').replaceAll('#', '%23');

/** Checks items of a whole table; a pure function, so that it can be tried on broken tables. */
export function violationsIn(
  items: readonly Item[],
  { inProgress = false, now = TEST_TIME }: CheckOptions = {},
): string[] {
  const demands = new Demands();
  const nodes = objectsOf(items, 'NODE');
  const services = objectsOf(items, 'SERVICE');
  const agents = objectsOf(items, 'AGENT');
  for (const item of [...nodes, ...services, ...agents]) checkRecord(item, demands);
  checkReferences(nodes, services, agents, demands);
  checkHeartbeats(items, nodes, agents, demands);

  for (const node of nodes) demandsOfNode(node, demands);
  for (const service of services) demandsOfService(service, demands);
  for (const agent of agents) demandsOfAgent(agent, demands);
  for (const node of nodes) demandsOfLabels('node', node, demands);
  for (const service of services) demandsOfLabels('service', service, demands);
  for (const agent of agents) demandsOfLabels('agent', agent, demands);
  for (const guard of guardsFor(nodes, services, agents))
    demands.want(guard.pk, 'GUARD', guard.attributes, `${guard.pk} is guarded, with counters equal to what is counted`);
  const derived = inventoryItems(items)
    .filter((item) => !isObject(item) && ![HEARTBEAT, HEARTBEAT_GROUP].some((of) => of.test(String(item['pk']))))
    .map((item) => (item['sk'] === 'GUARD' ? withoutTime(item, demands) : item));
  checkForcedRemovals(items, { inProgress }, demands);
  demands.meet(
    derived.filter(({ pk }) => pk !== FORCED_REMOVALS),
    inProgress ? ['removing'] : [],
  );
  const changes = items.filter(({ pk }) => CHANGE.test(String(pk)));
  demands.violations.push(...changeViolations(changes, [...nodes, ...services, ...agents]));
  checkRemovals(items, changes, demands);
  const heartbeats = items.filter(({ pk }) => HEARTBEAT.test(String(pk)));
  demands.violations.push(...groupViolations(items, heartbeats));
  const ofStates = items.filter(({ pk }) => STATE_CHANGE.test(String(pk)));
  demands.violations.push(...stateViolations(ofStates, heartbeats, changes));
  for (const item of items) checkShape(item, demands);
  for (const item of items) if (DONE.test(String(item['pk']))) checkDone(item, demands);
  for (const { pk, ttl } of items)
    if (SESSIONS_OF_COLLECTORS.test(String(pk)) && typeof ttl !== 'number') demands.say(`${String(pk)} never ends.`);
  return [
    ...demands.violations,
    ...accessViolations(
      items.filter((item) => ACCESS.test(String(item['pk']))),
      now,
    ),
  ];
}

/** Every item is one that items.ts lists, ends by its time to live if it says so, and is in the indexes that it names. */
function checkShape(item: Item, demands: Demands): void {
  const shape = shapeOf({ pk: String(item['pk']), sk: String(item['sk']) });
  if (shape === undefined) {
    demands.say(`${keyOf(item)} is no item of the table.`);
    return;
  }
  const { ttl, index = '' } = shape;
  const possible = index === 'by_name of some' ? ['by_name', ''] : [index];
  if (ttl !== 'sometimes' && Object.hasOwn(item, 'ttl') !== (ttl === 'always'))
    demands.say(
      `${keyOf(item)} has a time to live of ${JSON.stringify(item['ttl'])}, and should ${ttl ?? 'never'} end.`,
    );
  const indexed = [...('list_pk' in item ? ['by_name'] : []), ...('type_pk' in item ? ['by_type'] : [])].join(' and ');
  if (!possible.includes(indexed))
    demands.say(`${keyOf(item)} is in ${indexed || 'no index'} instead of ${index || 'none'}.`);
}

const FORCED_REMOVALS = 'FORCED_REMOVALS';

/** An object shows that it is being removed when its guard is closed, and only during a removal, which a record tells of. */
function checkForcedRemovals(items: readonly Item[], { inProgress = false }: CheckOptions, demands: Demands): void {
  const closed = new Set(items.filter(({ sk, removing }) => sk === 'GUARD' && removing === true).map(({ pk }) => pk));
  for (const item of items.filter(isObject))
    if ((item['removing'] === true) !== closed.has(item['pk']))
      demands.say(`${keyOf(item)} and its guard differ in whether a removal has begun.`);
  const begun = items.filter(({ pk }) => pk === FORCED_REMOVALS);
  for (const item of begun)
    if (!closed.has(item['sk'])) demands.say(`${keyOf(item)} is of an object that no removal has closed.`);
  if (closed.size > 0 && begun.length === 0) demands.say(`${[...closed].join(', ')}: closed without a removal.`);
  if (!inProgress && begun.length > 0) demands.say(`${begun.map(keyOf).join(', ')}: a removal has not finished.`);
}

/** When a guard was last written is nothing that the objects tell. */
function withoutTime(guard: Fields, demands: Demands): Item {
  const { at, ...rest } = guard;
  if (!Number.isInteger(at)) demands.say(`${guard['pk']} was written at ${at}.`);
  return rest;
}

function checkRecord(item: Fields, demands: Demands): void {
  const sort = item['sk'] as ObjectSort;
  const { revision, created_at: created, updated_at: updated } = item;
  if (item['pk'] !== `${sort}#${item[idFields[sort]]}`)
    demands.say(`${named(item)} stands under another id than its own.`);
  if (!Number.isInteger(revision) || revision < 1)
    demands.say(`${named(item)} has revision ${JSON.stringify(revision)}.`);
  if (Number.isNaN(Date.parse(created)) || Number.isNaN(Date.parse(updated)))
    demands.say(`${named(item)} has no proper times.`);
  if (revision === 1 && created !== updated) demands.say(`${named(item)} is at revision 1 and yet was updated.`);
  const expected =
    sort === 'NODE'
      ? ['NODES', `NODES#${item['node_type']}`, item['node_name']]
      : sort === 'SERVICE'
        ? ['SERVICES', `SERVICES#${item['service_type']}`, item['service_name']]
        : ['AGENTS', undefined, `${item['agent_type']}#${item['agent_id']}`];
  const indexed = [item['list_pk'], item['type_pk'], item['list_sk']];
  if (!isDeepStrictEqual(indexed, expected))
    demands.say(`${named(item)} is indexed as ${JSON.stringify(indexed)} instead of ${JSON.stringify(expected)}.`);
}

function checkReferences(nodes: Fields[], services: Fields[], agents: Fields[], demands: Demands): void {
  const byId = {
    node: new Map(nodes.map((node) => [node['node_id'], node])),
    service: new Map(services.map((service) => [service['service_id'], service])),
    agent: new Map(agents.map((agent) => [agent['agent_id'], agent])),
  };
  const refer = (from: Fields, how: string, kind: keyof typeof byId, id: string): Fields | undefined => {
    const target = byId[kind].get(id);
    if (target === undefined) demands.say(`${named(from)} ${how} ${kind} ${id}, which is not there.`);
    return target;
  };
  for (const service of services) for (const id of service['node_ids']) refer(service, 'runs on', 'node', id);
  for (const agent of agents) {
    const { runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = agent;
    if (nodeId !== undefined) refer(agent, 'runs on', 'node', nodeId);
    if (parentId !== undefined) {
      const parent = refer(agent, 'runs under', 'agent', parentId);
      if (parent !== undefined && parent['agent_type'] !== 'pmm_agent')
        demands.say(`${named(agent)} runs under ${named(parent)}, which is no pmm_agent.`);
      if (parent !== undefined && parent['runs_on_node_id'] !== nodeId)
        demands.say(`${named(agent)} runs on another node than ${named(parent)} over it.`);
    }
    for (const kind of ['node', 'service'] as const)
      for (const id of insights[`${kind}_ids`]) {
        const target = refer(agent, 'gives insight into', kind, id);
        if (target === undefined) continue;
        const type = target[`${kind}_type`];
        if (!mayGiveInsight(agent as { agent_type: string }, kind, { id, type }))
          demands.say(`${named(agent)} gives insight into ${named(target)}, a ${kind} of type ${type}.`);
      }
  }
}

const shownValue = (value: string) =>
  Buffer.byteLength(value) <= 256 ? value : `sha256:${createHash('sha256').update(value).digest('hex')}`;

/** What lists the claim of a name by the address of its owner, in an index. */
const listedBy = (list: string, { address, list_sk: name }: Fields): Fields =>
  address === undefined ? {} : { list_pk: `${list}#address#${shownValue(address)}`, list_sk: name };

function demandsOfNode(node: Fields, demands: Demands): void {
  const { node_id: id, node_name: name, region, address, container_id: containerId } = node;
  const owner = { owner_id: id };
  demands.want(`NODE_NAME#${name}`, 'CLAIM', { ...owner, ...listedBy('NODES', node) }, `${named(node)} has this name`);
  if (containerId !== undefined)
    demands.want(`CONTAINER#${containerId}`, 'CLAIM', owner, `${named(node)} has this container`);
  if (region === undefined) return;
  const why = `${named(node)} is in ${region} at ${address}`;
  demands.want(`NODE_ADDRESS#${escaped(region)}#${address}`, 'CLAIM', owner, why);
}

/** Attributes with and without label index entries, and the number of custom labels with one. All of these are labels. */
const labelled = {
  node: {
    list: 'NODES',
    indexed: ['machine_id', 'container_name', 'node_model', 'region', 'az', 'instance_id'],
    others: ['node_id', 'node_name', 'node_type', 'address', 'container_id'],
    most: 32,
  },
  service: {
    list: 'SERVICES',
    indexed: ['environment', 'cluster', 'replication_set', 'group'],
    others: ['service_id', 'service_name', 'service_type', 'address'],
    most: 32,
  },
  agent: { list: 'AGENTS', indexed: [], others: ['agent_id', 'agent_type'], most: 12 },
} as const satisfies Record<string, { list: string; indexed: string[]; others: string[]; most: number }>;

function demandsOfLabels(kind: keyof typeof labelled, object: Fields, demands: Demands): void {
  const { list, most } = labelled[kind];
  const [indexed, others]: readonly string[][] = [[...labelled[kind].indexed], [...labelled[kind].others]];
  const attributes = { object_id: object[`${kind}_id`] };
  const wantEntry = (pk: string, why: string, more: Fields = {}) =>
    demands.want(pk, object['list_sk'], { ...attributes, ...more }, `${named(object)} ${why}`);
  const ofLabel = (label: string, value: string) => {
    // In an index, the entries of clusters are the list of clusters.
    const isListed = kind === 'service' && label === 'cluster';
    const listed = isListed ? { list_pk: 'CLUSTERS', list_sk: `${value}\u0001${object['service_id']}` } : {};
    wantEntry(`${list}#${label}#${shownValue(value)}`, `has the label ${label}`, listed);
  };
  for (const label of indexed ?? []) if (object[label] !== undefined) ofLabel(label, object[label]);
  const custom = Object.entries<string>(object['custom_labels'])
    .filter(([label]) => indexed?.includes(label) !== true && others?.includes(label) !== true)
    // With more labels than are indexed, the owner label is the first.
    .sort(([left], [right]) =>
      left === object['owner_label'] || (right !== object['owner_label'] && left < right) ? -1 : 1,
    );
  for (const [label, value] of custom.slice(0, most)) ofLabel(label, value);
  if (custom.length > most) wantEntry(`${list}#*`, `has ${custom.length} labels, more than have their own index entry`);
}

/** Where the heartbeat of a node stands. */
function heartbeatPlace(nodeId: string): string {
  const [byte] = createHash('sha256').update(nodeId).digest();
  return `HEARTBEATS#${(byte! % 16).toString(16)}`;
}

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
};

const seconds = (text: string) => Number.parseInt(text, 10) * (SECONDS[/[a-zA-Z]/.exec(text)?.[0] ?? 's'] ?? NaN);

/** A part of a digest, a time and an address; the last two also of a former secret. */
function isKeyUse([secret, ...uses]: any[]): boolean {
  const isUse = (index: number) => Number.isInteger(uses[index]) && typeof uses[index + 1] === 'string';
  return /^[0-9a-f]{8}$/.test(secret) && isUse(0) && (uses.length === 2 || (uses.length === 4 && isUse(2)));
}

/**
 * Interruptions of a process before its last report, in order and without overlaps: the end of each, and how long before it
 * the process was stale and offline. Empty: it was live for a day.
 */
function isHistory(history: unknown, at: number): boolean {
  if (history === undefined) return true;
  if (!Array.isArray(history) || !history.every(Number.isInteger)) return false;
  const [since, isWhole, ...rest]: number[] = history;
  if (since === undefined) return true;
  let last = since;
  for (let index = 0; index < rest.length; index += 3) {
    const [end = NaN, staleMs = NaN, offlineMs = NaN] = rest.slice(index, index + 3);
    if (!(last <= end - staleMs && staleMs > 0 && staleMs >= offlineMs && offlineMs >= 0)) return false;
    last = end;
  }
  return last <= at && (isWhole === 0 || isWhole === 1) && rest.length <= 3 * 16;
}

/** Every node has a heartbeat, with its timers, and in it each of its agent processes and no other. */
function checkHeartbeats(items: readonly Item[], nodes: Fields[], agents: Fields[], demands: Demands): void {
  const heartbeats: Fields[] = items.filter(({ pk }) => HEARTBEAT.test(String(pk)));
  const byNode = new Map(heartbeats.map((item) => [String(item['sk']), item]));
  for (const item of heartbeats)
    if (!nodes.some((node) => node['node_id'] === item['sk'])) demands.say(`${keyOf(item)} is no node's.`);
  for (const node of nodes) {
    const item = byNode.get(node['node_id']);
    if (item === undefined || item['pk'] !== heartbeatPlace(node['node_id'])) {
      demands.say(`${named(node)} has no heartbeat in its place.`);
      continue;
    }
    const { pk: _pk, sk: _sk, added_at: addedAt, published: _published, group: _group, key_use: use, ...rest } = item;
    if (use !== undefined && !isKeyUse(use)) demands.say(`${keyOf(item)} holds ${JSON.stringify(use)} of the key.`);
    const processes = Object.fromEntries(Object.entries(rest).filter(([name]) => name.startsWith('process#')));
    const life = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('process#')));
    const expected = {
      node_name: node['node_name'],
      lifetime: node['lifetime'] ?? 'permanent',
      stale_after: seconds(node['stale_after'] ?? '10m'),
      offline_after: seconds(node['offline_after'] ?? '30m'),
      remove_after: seconds(node['remove_after'] ?? '1d'),
      defaults: '10m 30m 1d',
    };
    if (!Number.isInteger(addedAt)) demands.say(`${keyOf(item)} was added at ${addedAt}.`);
    if (!isDeepStrictEqual(life, expected))
      demands.say(`${keyOf(item)} holds ${JSON.stringify(life)} instead of ${JSON.stringify(expected)}.`);
    const reportingAgents = agents.filter(
      (agent) => reporters.has(agent['agent_type']) && agent['runs_on_node_id'] === node['node_id'],
    );
    const ids = reportingAgents.map((agent) => `process#${agent['agent_id']}`).sort();
    if (!isDeepStrictEqual(Object.keys(processes).sort(), ids))
      demands.say(`${keyOf(item)} knows ${Object.keys(processes).join()} instead of ${ids.join()}.`);
    for (const [name, report] of Object.entries(processes)) {
      const isSilent = isDeepStrictEqual(report, {});
      const isReport =
        Number.isInteger(report.at) && typeof report.agents === 'object' && isHistory(report.history, report.at);
      if (!isSilent && !isReport) demands.say(`${keyOf(item)} holds ${JSON.stringify(report)} of ${name}.`);
    }
  }
}

function demandsOfService(service: Fields, demands: Demands): void {
  const { service_id: id, service_name: name, node_ids: nodeIds } = service;
  const claim = { owner_id: id, ...listedBy('SERVICES', service) };
  demands.want(`SERVICE_NAME#${name}`, 'CLAIM', claim, `${named(service)} has this name`);
  if (nodeIds.length === 0) demands.want('SERVICES#@', name, { object_id: id }, `${named(service)} is on no node`);
  for (const nodeId of nodeIds)
    demands.want(`NODE#${nodeId}`, `SERVICE#${name}`, { object_id: id }, `${named(service)} runs on this node`);
}

function demandsOfAgent(agent: Fields, demands: Demands): void {
  const { agent_id: id, agent_type: type, runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = agent;
  const edge = (pk: string, prefix: string, how: string) =>
    demands.want(pk, `${prefix}#${type}#${id}`, { object_id: id }, `${named(agent)} ${how}`);
  if (agent['registered'] === true)
    for (const key of keysOfAgent(agent))
      demands.want(
        `AGENT_KEY#${key}`,
        'CLAIM',
        { owner_id: id, ...(nodeId === undefined ? {} : { node_id: nodeId }) },
        `${named(agent)} is registered by this key`,
      );
  else if (agent['registered'] !== undefined) demands.say(`${named(agent)} is registered in a way of its own.`);
  if (nodeId === undefined)
    demands.want('AGENTS#@', `${type}#${id}`, { object_id: id }, `${named(agent)} is on no node`);
  if (nodeId !== undefined) edge(`NODE#${nodeId}`, 'AGENT', 'runs on this node');
  if (parentId !== undefined) edge(`AGENT#${parentId}`, 'AGENT', 'runs under this pmm_agent');
  for (const target of insights.node_ids) edge(`NODE#${target}`, 'INSIGHT', 'gives insight into this node');
  for (const target of insights.service_ids) edge(`SERVICE#${target}`, 'INSIGHT', 'gives insight into this service');
}

/** By which keys an agent is found, when it is registered: also without targets, when it watches its own node. */
function keysOfAgent(agent: Fields): string[] {
  const { agent_type: type, pmm_agent_id: parentId, runs_on_node_id: nodeId, insights } = agent;
  const name = type === 'otel_collector' ? [agent['collector_name']] : [];
  const place = parentId === undefined ? { node: nodeId } : { pmmAgent: parentId };
  const digest = (nodeIds: string[], serviceIds: string[]) =>
    createHash('sha256')
      .update(JSON.stringify([type, place, [[...nodeIds].sort(), [...serviceIds].sort()], ...name]))
      .digest('hex');
  const { node_ids: nodeIds, service_ids: serviceIds } = insights;
  const watchesItsOwn = type === 'node_exporter' && isDeepStrictEqual([nodeIds, serviceIds], [[nodeId], []]);
  return [digest(nodeIds, serviceIds), ...(watchesItsOwn ? [digest([], [])] : [])];
}

/** Every object that was removed and has not come back is in one removal, by the change that it went with. */
function checkRemovals(items: readonly Item[], changes: readonly Item[], demands: Demands): void {
  const removals: Fields[] = items.filter(({ pk }) => REMOVAL.test(String(pk)));
  const gone = new Map(
    changes
      .filter(({ action }) => action === 'removed')
      .map((change): [string, Fields] => [String(change['pk']).slice('CHANGE#'.length) + String(change['sk']), change]),
  );
  const seen = new Set<string>();
  for (const { sk, objects, ttl } of removals) {
    if (!/^[0-9a-z]{15}#[0-9a-z]{18}$/.test(sk) || !Number.isInteger(ttl)) demands.say(`${sk} is no removal.`);
    for (const [kind, id, name, changeId] of objects) {
      const change = gone.get(changeId);
      if (change?.['kind'] !== kind || change?.['id'] !== id) demands.say(`${sk} took away ${name}, by no change.`);
      if (seen.has(changeId)) demands.say(`${changeId} is in two removals.`);
      seen.add(changeId);
    }
  }
  const added = changes.filter(({ action }) => action === 'added');
  for (const [changeId, { id }] of gone)
    if (!seen.has(changeId) && !added.some((item) => item['id'] === id && item['sk']! > changeId.slice(1)))
      demands.say(`change ${changeId} took ${id} away, and no removal knows it.`);
}

function checkDone(item: Fields, demands: Demands): void {
  const { pk, sk, request_hash: hash, object, ttl, ...more } = item;
  const kept = JSON.parse(object);
  // Of a batch, its results.
  const results: Fields[] | undefined = kept.results;
  const added: Fields =
    results === undefined ? kept : (results.find(({ status, body }) => status === 201 && body)?.['body'] ?? {});
  const isObjectText =
    results?.every(({ status, id }) => [200, 201, 204].includes(status) && typeof id === 'string') ??
    Object.values(idFields).some((field) => typeof added[field] === 'string');
  if (!/^IDEMPOTENCY#[^#]+#[0-9a-f]{64}$/.test(pk) || sk !== 'REQUEST' || !/^[0-9a-f]{64}$/.test(hash))
    demands.say(`${keyOf(item)} is no request that was made.`);
  if (!isObjectText || !Number.isInteger(ttl) || Object.keys(more).length > 0)
    demands.say(`${keyOf(item)} holds ${JSON.stringify(item)}.`);
  // It has the time of its request, as what the request added, and ends a day after that.
  const late = Math.ceil(Date.parse(added['created_at']) / 1000) + 24 * 60 * 60 - ttl;
  // A batch may add nothing.
  const isLate = results === undefined ? late !== 0 : Math.abs(late) > 0;
  if (isLate) demands.say(`${keyOf(item)} ends at ${ttl}, and its add was at ${added['created_at']}.`);
}

function guardsFor(nodes: Fields[], services: Fields[], agents: Fields[]): { pk: string; attributes: Fields }[] {
  const isProcess = (agent: Fields) => agent['agent_type'] === 'pmm_agent';
  const none = { services: 0, agents: 0, pmm_agents: 0, insights: 0 };
  return [
    ...nodes.map((node) => {
      const id = node['node_id'];
      const here = agents.filter((agent) => agent['runs_on_node_id'] === id);
      const counts = {
        services: services.filter((service) => service['node_ids'].includes(id)).length,
        agents: here.filter((agent) => !isProcess(agent)).length,
        pmm_agents: here.filter(isProcess).length,
        insights: agents.filter((agent) => agent['insights'].node_ids.includes(id)).length,
      };
      return { pk: `NODE#${id}`, attributes: { type: node['node_type'], ...counts } };
    }),
    ...services.map((service) => {
      const id = service['service_id'];
      const insights = agents.filter((agent) => agent['insights'].service_ids.includes(id)).length;
      return { pk: `SERVICE#${id}`, attributes: { type: service['service_type'], ...none, insights } };
    }),
    ...agents.filter(isProcess).map((agent) => {
      const under = agents.filter((other) => other['pmm_agent_id'] === agent['agent_id']).length;
      return { pk: `AGENT#${agent['agent_id']}`, attributes: { type: 'pmm_agent', ...none, agents: under } };
    }),
  ];
}

/**
 * API keys: names, ids and keys belong together one to one, and the counter counts them. A previous secret of a key
 * expires, and the item of the key refers to it until then.
 */
function accessViolations(items: readonly Item[], now: number): string[] {
  const demands = new Demands();
  const keys: Fields[] = items.filter(({ sk }) => sk === 'KEY');
  const texts = keys.filter((key) => key['kind'] === 'api_key');
  const apiKeys = texts.filter((key) => key['superseded'] === undefined);
  const hashOf = (key: Fields) => String(key['pk']).slice('KEY#'.length);
  checkOlderTexts(items, texts, now, demands);
  // Sessions and keys of programs have no name and no count, and end by their time to live, item by item.
  for (const { pk, sk, ttl, kind, provider } of items.filter(
    ({ sk: sort }) => sort === 'SESSION' || sort === 'SESSION_ID',
  ))
    if (typeof ttl !== 'number' || (kind !== 'session' && provider === undefined))
      demands.say(
        `${String(pk)} ${String(sk)} is swept at ${String(ttl)}, and is neither a session nor the key of a program.`,
      );
  for (const { pk, uses = {}, former_uses: former = {} } of keys)
    for (const byDay of [uses, former]) {
      const days = Object.entries(byDay);
      const isDay = ([day, count]: [string, unknown]) => /^\d{4}-\d\d-\d\d$/.test(day) && Number(count) >= 1;
      if (days.length > 7 || !days.every(isDay)) demands.say(`${pk} has the uses ${JSON.stringify(byDay)}.`);
    }
  for (const key of apiKeys) {
    const key_hash = hashOf(key);
    const { key_id, kind, name, role, expires_at } = key;
    const { disabled, enabled_expires_at: end } = key;
    if (disabled === true ? expires_at !== 0 : end !== undefined)
      demands.say(`${String(key['pk'])} with disabled ${disabled} is stored with the ends ${expires_at} and ${end}.`);
    const expiry = {
      ...(expires_at === undefined ? {} : { expires_at }),
      ...(disabled === undefined ? {} : { disabled }),
      ...(end === undefined ? {} : { enabled_expires_at: end }),
    };
    demands.want('API_KEYS', `KEY#${name}`, { key_hash, key_id }, `an API key has this name`);
    const older = items.find((item) => item['pk'] === `KEY_ID#${key_id}`)?.['previous'];
    const previous = older === undefined ? {} : { previous: older };
    const expectedId = { key_hash, key_id, kind, name, role, ...expiry, ...previous };
    if ((role === 'Registrar') !== (typeof key['node_id'] === 'string'))
      demands.say(`${String(key['pk'])} with the role ${role} is bound to ${String(key['node_id'])}.`);
    demands.want(`KEY_ID#${key_id}`, 'KEY_ID', expectedId, `the API key ${JSON.stringify(name)} has this id`);
  }
  const isServiceAccount = ({ pk, sk }: Item) => pk === 'API_KEYS' && String(sk).startsWith('SERVICE_ACCOUNT#');
  for (const { name, role, created_at } of items.filter(isServiceAccount) as Fields[]) {
    const id = Number.parseInt(createHash('sha256').update(String(name)).digest('hex').slice(0, 12), 16);
    if (Number.isNaN(Date.parse(created_at)) || !['Admin', 'Editor', 'Viewer'].includes(role))
      demands.say(`The service account ${name} has the role ${role} and was added at ${created_at}.`);
    demands.want('API_KEYS', `SERVICE_ACCOUNT#${id}`, { id, name, role, created_at }, `a service account of this name`);
  }
  const permanent = apiKeys.filter((key) => key['role'] === 'Admin' && key['expires_at'] === undefined);
  const counter = items.find(({ pk, sk }) => pk === 'API_KEYS' && sk === 'COUNTER');
  const hasCounter = counter !== undefined;
  const registrars = apiKeys.filter((key) => key['role'] === 'Registrar');
  const counts = { api_keys: apiKeys.length - registrars.length, permanent_admins: permanent.length };
  if (hasCounter || counts.api_keys > 0) demands.want('API_KEYS', 'COUNTER', counts, 'there are so many API keys');
  // The hash of the name says which item counts the key of a node.
  const ofNodes = new Map(items.filter(isCounterOfNodes).map(({ sk }) => [String(sk), 0]));
  for (const { name } of registrars) {
    const sk = `COUNTER#${(createHash('sha256').update(String(name)).digest()[0] ?? 0) % 64}`;
    ofNodes.set(sk, (ofNodes.get(sk) ?? 0) + 1);
  }
  for (const [sk, count] of ofNodes) demands.want('API_KEYS', sk, { registrars: count }, 'there are so many of nodes');
  const alone =
    /^(CHANGE_SHARDS$|ACCOUNT#|SECRET#PAGE_TOKEN$|ENROLMENT#|ENROLMENT_TOKENS$|RATE#|AUDIT#|SESSION#|SESSION_ID#|SESSIONS$|USERS$|ROLE_BINDINGS$|PROVIDER#|LOGIN#|DEVICE#|USER_CODE#)/;
  demands.violations.push(...auditViolations(items, now));
  checkTokens(items, now, demands);
  demands.violations.push(...sessionViolations(items, now));
  checkRates(items, demands);
  demands.meet(
    items.filter((item) => item['sk'] !== 'KEY' && !alone.test(String(item['pk']))),
    [],
  );
  for (const key of keys)
    if (key['kind'] !== 'api_key' || key['provider'] !== undefined) demands.say(`${String(key['pk'])} is no API key.`);
  return demands.violations;
}

function checkOlderTexts(items: readonly Item[], texts: readonly Fields[], now: number, demands: Demands): void {
  const older = texts.filter((key) => key['superseded'] !== undefined);
  const ids = new Map<string, Fields>(
    items.filter(({ sk }) => sk === 'KEY_ID').map((item) => [String(item['pk']), item]),
  );
  const present = new Map(texts.filter((key) => key['superseded'] === undefined).map((key) => [key['key_id'], key]));
  for (const { pk, key_id: id, expires_at, disabled, enabled_expires_at, ttl } of older) {
    const end = disabled === true ? enabled_expires_at : expires_at;
    if (end * 1000 > now && disabled !== present.get(id)?.['disabled'])
      demands.say(`${pk} is a previous secret that is disabled ${disabled}, unlike its key.`);
    if (typeof end !== 'number' || ttl !== end)
      demands.say(`${pk} is a previous secret that ends at ${end}, removed at ${ttl}.`);
    const previousSecrets: Fields[] = ids.get(`KEY_ID#${id}`)?.['previous'] ?? [];
    const isKnown = previousSecrets.some(
      (secret) => `KEY#${secret['key_hash']}` === pk && secret['expires_at'] === end,
    );
    // One that has ended is left to its time to live, and forgotten at the next rotation.
    if (!isKnown && end * 1000 > now)
      demands.say(`${pk} is a previous secret that the item of its key does not contain.`);
  }
  for (const { pk, previous = [] } of ids.values())
    for (const secret of previous) {
      const there = texts.find((key) => key['pk'] === `KEY#${secret['key_hash']}`);
      if (there !== undefined && (there['superseded'] !== true || `KEY_ID#${there['key_id']}` !== pk))
        demands.say(`${pk} refers to ${String(there['pk'])} as a previous secret.`);
    }
}

/** A token is its two items, each with an end at which it is swept away; they may part only then. */
function checkTokens(items: readonly Item[], now: number, demands: Demands): void {
  const byHash: Fields[] = items.filter(({ sk }) => sk === 'ENROLMENT');
  const byId: Fields[] = items.filter(({ pk }) => pk === 'ENROLMENT_TOKENS');
  for (const { pk, ttl, expires_at: end } of [...byHash, ...byId])
    if (typeof end !== 'number' || ttl !== end) demands.say(`${pk} ends at ${end} and is swept at ${ttl}.`);
  const isOver = ({ expires_at: end }: Fields) => end * 1000 <= now;
  for (const token of byHash)
    if (!isOver(token) && !byId.some((item) => item['sk'] === `TOKEN#${token['token_id']}`))
      demands.say(`${token['pk']} is a token that is in no list.`);
  for (const token of byId)
    if (!isOver(token) && !byHash.some((item) => item['pk'] === `ENROLMENT#${token['token_hash']}`))
      demands.say(`${token['sk']} is in the list and no token.`);
}

function checkRates(items: readonly Item[], demands: Demands): void {
  for (const { pk, requests, ttl } of items.filter(({ sk }) => sk === 'RATE') as Fields[])
    // A log-in that succeeds takes its attempt back.
    if (!(requests >= 0) || typeof ttl !== 'number') demands.say(`${pk} counts ${requests} requests, swept at ${ttl}.`);
}

// Lists ---------------------------------------------------------------------------------------------------------------

const tableOnly = ['pk', 'sk', 'list_pk', 'type_pk', 'list_sk', 'last_change', 'registered'];

/** How lists are sorted: by the bytes of the name, of agents by type and id. */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Every page of a list, in one. Throws when a page is refused. */
export async function readList(
  read: NonNullable<CheckOptions['read']>,
  list: 'nodes' | 'services' | 'agents',
  query: Record<string, string> = {},
): Promise<Fields[]> {
  const objects: Fields[] = [];
  let token: string | undefined;
  do {
    const search = new URLSearchParams({ ...query, ...(token === undefined ? {} : { page_token: token }) });
    let { status, body } = await read(`/v1/${list}?${search.toString()}`);
    // As clients are told to: a busy machine may be late.
    for (let again = 0; again < MAX_REPEATS && status === 503; again += 1)
      ({ status, body } = await read(`/v1/${list}?${search.toString()}`));
    if (status !== 200) throw new Error(`/v1/${list}?${search.toString()}: ${status} ${JSON.stringify(body)}`);
    objects.push(...body[list]);
    token = body.next_page_token;
  } while (token !== undefined);
  return objects;
}

/** What a read says of how an object is at this moment: nothing of it stands in the object. */
export function withoutWhatIsReported({ state, reported_at: at, version, ...object }: Fields): Fields {
  if (!['live', 'stale', 'offline', 'never_seen'].includes(state)) throw new Error(`no such state: ${state}`);
  if (at !== undefined && state === 'never_seen') throw new Error(`never seen, and reported at ${at}`);
  if (object['agent_type'] === undefined) return { ...object, ...(version === undefined ? {} : { version }) };
  const { status: _status, status_since: _since, connected: _connected, ...agent } = object;
  return agent;
}

/** An agent without what its process may have reported, which lists show only when they are asked for states. */
function withoutReport(object: Fields): Fields {
  if (!reporters.has(object['agent_type']) && object['pmm_agent_id'] === undefined) return object;
  const {
    status: _status,
    status_since: _since,
    connected: _connected,
    listen_port: _port,
    version: _version,
    ...declared
  } = object;
  return declared;
}

async function listViolations(items: readonly Item[], read: NonNullable<CheckOptions['read']>): Promise<string[]> {
  const violations: string[] = [];
  const compare = async (list: 'nodes' | 'services' | 'agents', query: Record<string, string>, expected: Fields[]) => {
    const stored = expected
      .toSorted((left, right) => byBytes(left['list_sk'], right['list_sk']))
      .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !tableOnly.includes(name))));
    const withState = { ...query, include: 'state' };
    const [plain, whole] = await Promise.all([readList(read, list, query), readList(read, list, withState)]);
    for (const [asked, listed, wanted] of [
      [query, plain, stored.map(withoutReport)],
      [
        withState,
        whole.map(withoutWhatIsReported),
        stored.map((item) => withoutWhatIsReported({ ...item, state: 'live' })),
      ],
    ] as const) {
      if (isDeepStrictEqual(listed, wanted)) continue;
      const shown = (objects: Fields[]) => JSON.stringify(objects);
      violations.push(`/v1/${list} with ${JSON.stringify(asked)} lists ${shown(listed)} and not ${shown(wanted)}.`);
    }
  };
  for (const [list, sort, typeField] of [
    ['nodes', 'NODE', 'node_type'],
    ['services', 'SERVICE', 'service_type'],
    ['agents', 'AGENT', 'agent_type'],
  ] as const) {
    const objects = objectsOf(items, sort);
    await compare(list, {}, objects);
    for (const type of new Set(objects.map((item) => item[typeField])))
      await compare(
        list,
        { [typeField]: type },
        objects.filter((item) => item[typeField] === type),
      );
    const labels = objects.flatMap((item) => Object.entries<string>(item['custom_labels']));
    const different = new Map(labels.map(([label, value]) => [JSON.stringify([label, value]), { label, value }]));
    const { indexed, others } = labelled[sort.toLowerCase() as keyof typeof labelled];
    const isAttribute = (label: string) => ([...indexed, ...others] as string[]).includes(label);
    // Of many labels a few: a list of each costs a request.
    for (const { label, value } of [...different.values()].filter((entry) => !isAttribute(entry.label)).slice(0, 5))
      await compare(
        list,
        { selector: `${label}=${JSON.stringify(value)}` },
        objects.filter((item) => item['custom_labels'][label] === value),
      );
  }
  return violations;
}
