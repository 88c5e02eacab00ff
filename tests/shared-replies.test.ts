/** What a caller with few rights writes costs no other caller a reply over all objects. */
import { randomUUID } from 'node:crypto';
import { endpoints } from '../functions/api/endpoints.ts';
import { routes } from '../functions/pmm/declarations/routes.ts';
import { MAX_OPERATIONS } from '../functions/domain/bulk/batch-operation.ts';
import { MAX_BULK_BYTES } from '../functions/domain/bulk/limits.ts';
import { MAX_TEAM_FILTERS } from '../functions/domain/records/saved-filter.ts';
import { MAX_TEAM_SILENCES } from '../functions/domain/records/silence.ts';
import { DROPPED } from '../functions/pmm/wire/list-message.ts';
import { hostBounds, MAX_HOST_LABEL_BYTES } from '../functions/domain/access/host-bounds.ts';
import { MAX_LABEL_VALUE, MAX_LABELS } from '../functions/domain/fields/common-fields.ts';
import type { Role } from '../shared/auth/roles.ts';
import { jsonBytesInReply } from '../shared/core/reply-size.ts';
import { MAX_RESULT_BYTES } from '../shared/http/carry.ts';
import { inFull, testSeed } from '../shared/testing/extent.ts';
import fc from '../shared/testing/fast-check.ts';
import { Random } from './consistency/random.ts';
import { addAgent, addNode, addService } from './support/add.ts';
import { type Inventory, type Reply, startInventory } from './support/inventory.ts';
import { describedBy, OpampAgent } from './support/opamp.ts';
import { addLimitedKey, type LimitedKey, requestsWith } from './support/teams.ts';
import { testTime } from './support/test-time.ts';

/** GETs without parameters in their path whose replies contain nothing that a team, a host or a relay adds. */
const ofOtherThings = [
  ...['getVersion', 'getReadiness', 'getCaller', 'listEnrolmentTokens', 'listSessions', 'listUsers'],
  ...['listRoleBindings', 'listLogInMethods'],
];

interface World {
  inventory: Inventory;
  node: any;
  service: any;
  agent: any;
  removedNode: any;
  silence: any;
  filter: any;
  counts: { node: number; service: number; agent: number; target: number; shared: number };
}

const get = async (
  { inventory }: Pick<World, 'inventory'>,
  path: string,
  as: Role = 'Viewer',
  headers = {},
): Promise<Reply> => {
  const reply = await inventory.request('GET', path, { as, headers });
  expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, '']);
  return reply;
};

const withParameter = (path: string, name: string, value: string | undefined) =>
  value === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

/** The parts of all pages of a list. */
async function pages(world: World, path: string, parts: (reply: Reply) => any[], as?: Role): Promise<any[]> {
  const all: any[] = [];
  let token: string | undefined;
  do {
    const reply = await get(world, withParameter(path, 'page_token', token), as);
    all.push(...parts(reply));
    token = reply.body?.next_page_token ?? /"next_page_token":"([^"]+)"/.exec(reply.text.split('\n').at(-2) ?? '')?.[1];
  } while (token !== undefined);
  return all;
}

const listOf = (world: World, kind: 'node' | 'service' | 'agent') =>
  pages(world, `/v1/${kind}s?page_size=1000`, ({ body }) => body[`${kind}s`]);

async function changesOf(world: World): Promise<any[]> {
  const all: any[] = [];
  // So that the order of all changes is final.
  world.inventory.clock.now = new Date((world.inventory.clock.now ?? testTime()).getTime() + 61_000);
  let since: string | undefined;
  for (;;) {
    const { body } = await get(world, withParameter('/v1/changes?limit=1000', 'since', since));
    all.push(...body.changes);
    if (!body.more) return all;
    since = body.next;
  }
}

async function groupsOf(world: World, query: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let after: string | undefined;
  do {
    const { body } = await get(world, withParameter(`/v1/groups?${query}`, 'after', after));
    for (const { value, count } of body.groups) counts.set(value, (counts.get(value) ?? 0) + Number(count));
    after = body.next;
  } while (after !== undefined);
  return counts;
}

/** Prometheus and Alloy request plain text, vmagent and PMM's clients accept gzip. */
const encodings = [{}, { 'Accept-Encoding': 'gzip' }];

/** How each reply over all objects is asked for as a whole, and contains what another caller has. */
const asked: Readonly<Record<string, (world: World) => Promise<void>>> = {
  listNodes: async (world) => expect(await listOf(world, 'node')).toContainEqual(world.node),
  listServices: async (world) => expect(await listOf(world, 'service')).toContainEqual(world.service),
  listAgents: async (world) => expect(await listOf(world, 'agent')).toContainEqual(world.agent),
  listServiceTypes: async (world) => {
    expect((await get(world, '/v1/services/types')).body.service_types).toContain('postgresql');
  },
  listClusters: async (world) => {
    const clusters = await pages(world, '/v1/clusters?page_size=1000', ({ body }) => body.clusters);
    const { cluster, environment } = world.service;
    const ownCluster = clusters.find((candidate) => candidate.cluster === cluster);
    expect([ownCluster.services, ownCluster.environments.includes(environment)]).toEqual([world.counts.shared, true]);
  },
  countGroups: async (world) => {
    for (const kind of ['node', 'service', 'agent'])
      expect((await groupsOf(world, `kind=${kind}&group_by=labels.other`)).get('whole')).toBe(1);
    // Of others, by the longest values.
    await groupsOf(world, 'kind=node&group_by=labels.l0');
  },
  exportInventory: async (world) => {
    const lines = await pages(world, '/v1/export?page_size=1000', ({ text }) =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    );
    for (const kind of ['node', 'service', 'agent'] as const) {
      const ofKind = lines.filter((line) => line.kind === kind);
      expect(ofKind).toHaveLength(world.counts[kind]);
      // Without what reports add.
      const { connected: _, status: __, ...stored } = world[kind];
      expect(ofKind.map(({ object }) => object)).toContainEqual(expect.objectContaining(stored));
    }
  },
  listChanges: async (world) => {
    const changes = await changesOf(world);
    for (const kind of ['node', 'service', 'agent'] as const) {
      const ownChanges = changes.filter(({ id }) => id === world[kind][`${kind}_id`]);
      expect([kind, ownChanges.map(({ action }) => action)]).toEqual([kind, ['added']]);
    }
  },
  listAudit: async (world) => {
    const entries = await pages(world, '/v1/audit?page_size=1000', ({ body }) => body.entries, 'Admin');
    const texts = entries.map((entry) => JSON.stringify(entry));
    for (const id of [world.node.node_id, world.removedNode.node_id])
      expect(texts.some((text) => text.includes(id))).toBe(true);
  },
  listRemoved: async (world) => {
    const removals = await pages(world, '/v1/removed?page_size=1000', ({ body }) => body.removals);
    expect(JSON.stringify(removals)).toContain(world.removedNode.node_id);
  },
  getSummary: async (world) => {
    let summary: any;
    for (let part = 0; part < 20 && summary?.complete !== true; part += 1) {
      world.inventory.clock.now = new Date((world.inventory.clock.now ?? testTime()).getTime() + 61_000);
      summary = (await get(world, '/v1/summary')).body;
    }
    const { nodes, services, agents, complete } = summary;
    const { target: _, shared: __, ...counts } = world.counts;
    expect([complete, { node: nodes.total, service: services.total, agent: agents.total }]).toEqual([true, counts]);
  },
  getMetrics: async (world) => {
    expect((await get(world, '/v1/metrics')).text).toMatch(/^inventory_nodes\{.*region="other"\} 1$/m);
  },
  discoverTargets: async (world) => {
    for (const headers of encodings) {
      const { body: groups, text } = await get(world, '/v1/discovery/prometheus', 'Viewer', headers);
      // A larger text would be one that fits compressed.
      expect(jsonBytesInReply(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
      expect(groups).toHaveLength(world.counts.target);
      const ownGroup = groups.find(({ labels }: any) => labels.__meta_inventory_agent_id === world.agent.agent_id);
      expect(ownGroup.labels).toMatchObject({
        __meta_inventory_node_name: world.node.node_name,
        __meta_inventory_service_name: world.service.service_name,
        __meta_inventory_label_other: 'whole',
      });
      expect(ownGroup.labels).not.toHaveProperty('__meta_inventory_dropped_labels');
      expect(groups.some(({ labels }: any) => '__meta_inventory_dropped_labels' in labels)).toBe(true);
    }
  },
  listSilences: async (world) => {
    const { body } = await get(world, '/v1/silences');
    expect(body.silences).toContainEqual(world.silence);
    expect(body.silences).toHaveLength(MAX_TEAM_SILENCES + 1);
  },
  listSavedFilters: async (world) => {
    const { saved_filters: filters } = (await get(world, '/v1/saved-filters', 'Admin')).body;
    expect(filters).toContainEqual(world.filter);
    expect(filters).toHaveLength(MAX_TEAM_FILTERS + 1);
  },
  listApiKeys: async (world) => {
    const keys = await pages(world, '/v1/api-keys', ({ body }) => body.api_keys, 'Admin');
    expect(keys.filter(({ name }) => name === 'test Viewer')).toHaveLength(1);
  },
  reconcile: async (world) => {
    const plan = async (selector: string, node: object) => {
      const desired = { nodes: [node] };
      const body = { scope: { selector }, desired, max_removals_percent: 100 };
      const reply = await world.inventory.request('POST', '/v1/reconcile', { as: 'Viewer', body });
      expect([selector, reply.status]).toEqual([selector, 200]);
      return reply.body;
    };
    const { node_name, node_type, address, region, custom_labels } = world.node;
    const ownPlan = await plan('other', { node_name, node_type, address, region, custom_labels, distro: 'new' });
    expect(ownPlan.items.filter(({ action }: any) => action === 'change')).toEqual([
      expect.objectContaining({ kind: 'node', id: world.node.node_id }),
    ]);
    // One in whose scope are the objects of the others, as a Viewer may ask.
    const node = { node_name: 'added', node_type, address: '10.3.0.1', custom_labels: { l0: 'x' } };
    const { items, items_left_out: left = 0 } = await plan('l0', node);
    expect(items.some(({ action }: any) => action === 'add')).toBe(true);
    expect(Number(items.length) + Number(left)).toBeGreaterThan(world.counts.node + world.counts.service - 2);
  },
  cleanUp: async (world) => {
    const reply = await world.inventory.request('POST', '/v1/cleanup', { body: { dry_run: true } });
    expect(reply.status).toBe(200);
  },
};

test('every GET without path parameters is requested, or returns no reply over all objects', () => {
  const candidates = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const covered = [...Object.keys(asked).filter((id) => !['reconcile', 'cleanUp'].includes(id)), ...ofOtherThings];
  expect(covered.toSorted()).toEqual(candidates.map(({ id }) => id).toSorted());
});

const made = async (reply: Promise<Reply>): Promise<any> => {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};

/** Labels with this number of bytes of UTF-8, with values as long as they may be. */
function labelsOf(character: string, bytes: number): Record<string, string> {
  const labels: Record<string, string> = {};
  const size = Buffer.byteLength(character);
  for (let left = bytes, index = 0; left > 8 && index < MAX_LABELS - 1; index += 1) {
    const length = Math.min(MAX_LABEL_VALUE, Math.floor((left - 3) / size));
    labels[`l${index}`] = character.repeat(length);
    left -= length * size + `l${index}`.length;
  }
  return labels;
}

/**
 * A Registrar adds as many objects as it may, with the longest values, one of them by OpAMP. A Relay and a Gateway report the longest
 * statuses for them.
 */
async function writeAsHost(inventory: Inventory, character: string): Promise<World['counts']> {
  const sourceIp = '10.7.7.7';
  const { token } = await made(inventory.request('POST', '/v1/enrolment-tokens', { body: { name: 'host' } }));
  const short = character.repeat(256);
  const custom_labels = labelsOf(character, MAX_HOST_LABEL_BYTES);
  const node = {
    ...{ node_type: 'generic', node_name: character.repeat(300), address: sourceIp, region: character.repeat(128) },
    ...{ machine_id: short, distro: short, node_model: short, az: character.repeat(128), custom_labels },
  };
  const body = { token, node };
  const { node: enrolledNode, api_key: key } = await made(
    inventory.request('POST', '/v1/enrolment', { as: null, sourceIp, body }),
  );
  const host = requestsWith(inventory, key.key);
  const add = (kind: 'agents' | 'services', more: object) => host('POST', `/v1/${kind}`, { custom_labels, ...more });
  const place = { runs_on_node_id: enrolledNode.node_id };
  const processes: any[] = [];
  for (let number = 0; number < hostBounds.pmm_agents; number += 1)
    processes.push(await made(add('agents', { agent_type: 'pmm_agent', ...place })));
  const services: any[] = [];
  for (let number = 0; number < hostBounds.services; number += 1)
    services.push(
      await made(
        add('services', {
          ...{
            service_type: 'mysql',
            service_name: `${number}${character.repeat(300)}`,
            node_ids: [enrolledNode.node_id],
          },
          ...{ address: '127.0.0.1', port: 3306, cluster: 'shared', environment: `${number}${character.repeat(120)}` },
          ...{ version: short, replication_set: character.repeat(128) },
        }),
      ),
    );
  const collector = (text: string) =>
    new OpampAgent(inventory, key.key).send({ agentDescription: describedBy({ 'service.name': text.repeat(256) }) });
  expect((await collector(character)).status).toBe(200);
  const agents: any[] = [];
  for (let number = 1; number < hostBounds.agents; number += 1)
    agents.push(
      await made(
        number % 2 === 0
          ? add('agents', { agent_type: 'external_exporter', listen_port: 9187, ...place })
          : add('agents', {
              ...{ agent_type: 'mysqld_exporter', pmm_agent_id: processes[0].agent_id, listen_port: 42_000 + number },
              insights: { service_ids: [services[number].service_id] },
            }),
      ),
    );
  expect((await add('agents', { agent_type: 'external_exporter', listen_port: 9187, ...place })).status).toBe(429);
  expect((await collector('y')).status).toBe(429);
  const statuses = agents
    .filter(({ pmm_agent_id: id }) => id !== undefined)
    .map(({ agent_id }) => ({ agent_id, status: 'waiting', version: character.repeat(64), status_reason: short }));
  for (const as of ['Relay', 'Gateway'] as const) {
    const reports = [{ pmm_agent_id: processes[0].agent_id, agents: statuses, reset: true }];
    const { results } = await made(inventory.request('POST', '/v1/reports', { as, body: { reports } }));
    expect(results).toMatchObject([{ status: 200, report: { taken: statuses.length } }]);
  }
  return {
    node: 1,
    service: services.length,
    agent: agents.length + processes.length + 1,
    target: agents.length,
    shared: services.length,
  };
}

/** The targets of a team: more than a reply can contain, also compressed. */
const TEAM_TARGETS = 1000;

/** How many objects of this size no reply without pages contains. */
const tooMany = (object: object) => Math.ceil((1.1 * MAX_RESULT_BYTES) / jsonBytesInReply(JSON.stringify(object)));

/** Printable ASCII in no order, which compresses least, without the slashes of addresses. */
function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(0x30 + random.below(0x7f - 0x30))).join('');
}

/** Adds objects by batches that are as large as they may be. @returns their ids. */
async function addAll(request: LimitedKey['request'], op: string, bodies: readonly object[]): Promise<string[]> {
  const batches: object[][] = [[]];
  let bytes = 0;
  for (const body of bodies) {
    const operation = { op, body };
    bytes += Buffer.byteLength(JSON.stringify(operation)) + 1;
    if (bytes > MAX_BULK_BYTES - 100 || batches.at(-1)!.length === MAX_OPERATIONS) {
      batches.push([]);
      bytes = Buffer.byteLength(JSON.stringify(operation)) + 1;
    }
    batches.at(-1)!.push(operation);
  }
  const ids: string[] = [];
  for (const operations of batches) {
    const { results } = await made(request('POST', '/v1/batch', { operations }));
    expect(results.filter(({ status }: Reply) => status !== 201)).toEqual([]);
    ids.push(...results.map(({ id }: { id: string }) => id));
  }
  return ids;
}

/**
 * A team adds nodes, services and agents with the largest values, many with texts that do not compress, reports the longest
 * statuses, changes and removes nodes, and adds as many silences and shared filters as it may.
 */
async function writeAsTeam(inventory: Inventory, character: string): Promise<World['counts']> {
  const { request } = await addLimitedKey(inventory, ['a']);
  const random = new Random(testSeed);
  const isRepeated = (number: number) => number % 4 === 0;
  const text = (number: number, length: number) =>
    isRepeated(number) ? character.repeat(length) : randomText(random, length);
  const names = Object.keys(labelsOf('x', Infinity));
  const labels = (number: number): Record<string, string> => ({
    ...Object.fromEntries(names.map((name) => [name, text(number, MAX_LABEL_VALUE)])),
    team: 'a',
  });
  const long = character.repeat(250);
  const filter = (number: number) => `${number}${text(number, 120)}`;
  const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => number);
  const numbers = numbersTo(tooMany(labels(1)));
  const nodes = numbers.map((number) => ({
    ...{ node_type: 'generic', node_name: `team ${number}${text(number, 300)}`, address: `10.1.0.${number}` },
    ...{ region: filter(number), az: filter(number), machine_id: text(number, 250), distro: long },
    ...{ node_model: text(number, 250), custom_labels: labels(number) },
  }));
  const nodeIds = await addAll(request, 'addNode', nodes);
  const services = numbers.map((number) => ({
    ...{ service_type: 'mongodb', service_name: `team ${number}${text(number, 300)}`, address: 'a', port: 1 },
    ...{ node_ids: [nodeIds[number]], cluster: number % 2 === 0 ? 'shared' : filter(number), version: filter(number) },
    ...{ environment: filter(number), replication_set: filter(number), custom_labels: labels(number) },
  }));
  const serviceIds = await addAll(request, 'addService', services);
  const large = nodeIds.filter((_, number) => !isRepeated(number));
  const exporters = numbersTo(TEAM_TARGETS).map((number) => ({
    ...{ agent_type: 'external_exporter', listen_port: 1, metrics_path: `/m${text(number, 200)}` },
    ...{ runs_on_node_id: large[number % large.length], custom_labels: { team: 'a' } },
  }));
  await addAll(request, 'addAgent', exporters);
  const place = { runs_on_node_id: nodeIds[0], custom_labels: { team: 'a' } };
  const { agent_id: processId } = await made(request('POST', '/v1/agents', { agent_type: 'pmm_agent', ...place }));
  const texts = numbersTo(100).map((number) => `${number}${long}`);
  const database = {
    ...{ agent_type: 'mongodb_exporter', pmm_agent_id: processId, listen_port: 2, username: long },
    ...{ disable_collectors: texts, stats_collections: texts, environment_variable_names: texts },
    custom_labels: labels(1),
  };
  const databases = numbersTo(tooMany(database)).map((number) => ({
    ...{ ...database, insights: { service_ids: serviceIds.slice(number, number + 20) } },
  }));
  const databaseIds = await addAll(request, 'addAgent', databases);
  const statuses = databaseIds.map((agent_id) => ({
    ...{ agent_id, status: 'waiting', version: character.repeat(64), status_reason: character.repeat(256) },
  }));
  await made(request('POST', `/v1/agents/${processId}/report`, { agents: statuses, reset: true }));
  for (const id of nodeIds.slice(0, 5))
    await made(request('PATCH', `/v1/nodes/${id}`, { custom_labels: { l0: character, l1: character } }));
  const gone = { node_type: 'generic', node_name: 'gone', address: '10.2.0.1', custom_labels: labels(0) };
  for (const id of await addAll(request, 'addNode', [gone])) await made(request('DELETE', `/v1/nodes/${id}`));
  for (const number of numbersTo(MAX_TEAM_SILENCES)) {
    const body = { selector: `team=a,l0!=${number}${'x'.repeat(900)}`, reason: long, time_to_live: '1h' };
    await made(request('POST', '/v1/silences', body));
  }
  for (const number of numbersTo(MAX_TEAM_FILTERS)) {
    const body = { list: 'nodes', name: `${number}${character.repeat(90)}`, parameters: { name: long.repeat(7) } };
    await made(request('POST', '/v1/saved-filters', { ...body, shared: true }));
  }
  const targets = exporters.length + databases.length;
  const shared = services.filter(({ cluster }) => cluster === 'shared').length;
  return { node: nodes.length, service: services.length, agent: targets + 1, target: targets, shared };
}

const sum = (...all: World['counts'][]): World['counts'] => {
  const of = (name: keyof World['counts']) => all.reduce((total, { [name]: count }) => total + count, 0);
  return { node: of('node'), service: of('service'), agent: of('agent'), target: of('target'), shared: of('shared') };
};

/** The objects of another caller. */
async function otherObjects(inventory: Inventory): Promise<Omit<World, 'inventory' | 'counts'>> {
  const custom_labels = { other: 'whole' };
  const node: any = await addNode(inventory, { node_name: randomUUID(), region: 'other', custom_labels });
  const service: any = await addService(inventory, {
    ...{ service_type: 'postgresql', cluster: 'shared', environment: '0', custom_labels },
    node_ids: [node.node_id],
  });
  const agent: any = await addAgent(inventory, {
    ...{ agent_type: 'external_exporter', listen_port: 9187, runs_on_node_id: node.node_id, custom_labels },
    insights: { service_ids: [service.service_id] },
  });
  const removedNode: any = await addNode(inventory);
  await made(inventory.request('DELETE', `/v1/nodes/${removedNode.node_id}`));
  const silenced = { selector: 'other=whole,other!=part', reason: 'An upgrade', time_to_live: '1h' };
  const silence = await made(inventory.request('POST', '/v1/silences', { body: silenced }));
  const saved = { list: 'nodes', name: 'other', parameters: { region: 'other' }, shared: true };
  const filter = await made(inventory.request('POST', '/v1/saved-filters', { body: saved }));
  return { node, service, agent, removedNode, silence, filter };
}

/** Lists for PMM's clients have no pages. The management API's agent list needs a service or a node. */
const pmmLists = routes.filter(
  ({ method, path, operation, facade }) =>
    ['inventory', 'management'].includes(facade) &&
    method === 'GET' &&
    operation.startsWith('list') &&
    operation !== 'listUniversalAgents' &&
    !path.includes('{'),
);

/** What each list of PMM's clients contains of another caller, by its path. */
async function askPmm(
  world: Omit<World, 'counts'>,
  { headers = {}, isLarge = false } = {},
): Promise<Record<string, unknown[]>> {
  const ownIds = [world.node.node_id, world.service.service_id, world.agent.agent_id];
  const matches: Record<string, unknown[]> = {};
  for (const { path, operation } of pmmLists) {
    const { body, text } = await get(world, path, 'Viewer', headers);
    if (isLarge && !['listServiceTypes', 'listAgentVersions'].includes(operation))
      expect([path, text.includes(DROPPED)]).toEqual([path, true]);
    matches[path] = Object.values<any>(body)
      .flat()
      .filter(
        (object) =>
          ownIds.includes(object.agent_id ?? object.service_id ?? object.node_id) ||
          object === 'SERVICE_TYPE_POSTGRESQL_SERVICE',
      );
  }
  return matches;
}

test('a host, a relay and a team at their write limits do not affect replies over all objects', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom('"', '\u4e2d', 'x'), async (character) => {
      const inventory = await startInventory();
      try {
        const other = await otherObjects(inventory);
        const whole = await askPmm({ inventory, ...other });
        // Our lists of nodes, services and agents, and the universal ones of nodes and services.
        expect(Object.values(whole).filter((objects) => objects.length === 1).length).toBeGreaterThan(4);
        const counts = { node: 1, service: 1, agent: 1, target: 1, shared: 1 };
        const world = {
          inventory,
          ...other,
          counts: sum(counts, await writeAsHost(inventory, character), await writeAsTeam(inventory, character)),
        };
        for (const headers of inFull(encodings, encodings.slice(0, 1)))
          expect(await askPmm(world, { headers, isLarge: headers === encodings[0] })).toEqual(whole);
        for (const kind of ['node', 'service', 'agent'] as const)
          expect(jsonBytesInReply(JSON.stringify(await listOf(world, kind)))).toBeGreaterThan(MAX_RESULT_BYTES);
        for (const ask of Object.values(asked)) await ask(world);
      } finally {
        await inventory.stop();
      }
    }),
    { numRuns: inFull(3, 1), examples: [['"']], includeErrorInReport: true },
  ));
