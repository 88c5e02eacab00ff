import { MAX_REPEATS, repeatWhileBusy } from '../support/busy.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../../shared/db/table.ts';
import type { RequestOptions, Reply } from '../support/inventory.ts';
import { checkInvariants, objectIds, readList, scan } from './invariants.ts';
import type { Random } from './random.ts';

/*
 * Races, each over in well under a second: many clients at once at a few objects. A round answers with complaints, each
 * a sentence: what no order of the acknowledged requests can explain, and every invariant that does not hold afterwards.
 */

export const CLIENTS = 16;

type Fields = Record<string, any>;
type Kind = 'node' | 'service' | 'agent';

export interface Arena {
  request: (method: string, path: string, call?: RequestOptions) => Promise<Reply>;
  /** The table itself, without disturbances. */
  table: Table;
  random: Random;
  /** Waits until indexes that lag have caught up. */
  catchUp?: () => Promise<void>;
}

export type Round = (arena: Arena) => Promise<string[]>;

const paths = { node: '/v1/nodes', service: '/v1/services', agent: '/v1/agents' } as const;

interface RecordedObject {
  kind: Kind;
  id: string;
  /** As acknowledged. */
  object: Fields;
  /** Acknowledged changes: how many, and the bodies. */
  changes: Fields[];
}

/** Speaks to the API for all clients of a round and remembers what was acknowledged. */
export class Recorder {
  readonly complaints: string[] = [];
  readonly #arena: Arena;
  readonly #added = new Map<string, RecordedObject>();
  readonly #removed = new Map<string, { force: boolean }>();

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  complain(complaint: string): void {
    this.complaints.push(complaint);
  }

  /** Every refusal must be one that a race can lead to; a fault of the server or a malformed request is none. */
  async call(method: string, path: string, call: RequestOptions = {}): Promise<Reply> {
    const reply = await repeatWhileBusy(() => this.#arena.request(method, path, call));
    // A forced removal may take longer than one request has, and is then continued by a repetition.
    const isUnfinished = reply.status === 503 && path.endsWith('?force=true');
    const isRefusal =
      [404, 409, 412].includes(reply.status) || (reply.status === 400 && reply.body.status === 'FAILED_PRECONDITION');
    if (![200, 201, 204].includes(reply.status) && !isRefusal && !isUnfinished)
      this.complain(`${method} ${path} ${JSON.stringify(call.body)} was answered ${reply.status} ${reply.text}`);
    return reply;
  }

  /** The added object; undefined when refused. */
  async add(kind: Kind, body: Fields): Promise<Fields | undefined> {
    const reply = await this.call('POST', paths[kind], { body });
    if (reply.status !== 201) return undefined;
    const id: string = reply.body[`${kind}_id`];
    this.#added.set(id, { kind, id, object: reply.body, changes: [] });
    return reply.body;
  }

  /** The object that a declaration left; undefined when refused. */
  async declare(kind: Kind, body: Fields): Promise<Fields | undefined> {
    const name: unknown = body[`${kind}_name`];
    const path =
      kind === 'agent' ? `${paths.agent}/by-key` : `${paths[kind]}/by-name/${encodeURIComponent(String(name))}`;
    const { status, body: reply } = await this.call('PUT', path, { body });
    if (status >= 300) return undefined;
    const { outcome, ...object } = reply;
    const id: string = object[`${kind}_id`];
    if ((status === 201) !== (outcome === 'added')) this.complain(`${path} answered ${status} and ${outcome}.`);
    if (status === 201) this.#added.set(id, { kind, id, object, changes: [] });
    else if (outcome === 'changed') this.#added.get(id)?.changes.push(body);
    return object;
  }

  /** For what a round is not about: a refusal is an error. */
  async mustAdd(kind: Kind, body: Fields): Promise<string> {
    const object = await this.add(kind, body);
    if (object === undefined) throw new Error(`${kind} refused: ${JSON.stringify(body)} ${this.complaints.join(' ')}`);
    return object[`${kind}_id`];
  }

  async change(kind: Kind, id: string, body: Fields, headers: Record<string, string> = {}): Promise<Reply> {
    const reply = await this.call('PATCH', `${paths[kind]}/${id}`, { body, headers });
    if (reply.status === 200) this.#added.get(id)?.changes.push(body);
    return reply;
  }

  async remove(
    kind: Kind,
    id: string,
    { force = false, headers = {} }: { force?: boolean; headers?: Record<string, string> } = {},
  ) {
    const reply = await this.call('DELETE', `${paths[kind]}/${id}${force ? '?force=true' : ''}`, { headers });
    if (reply.status === 204) {
      if (this.#removed.has(id)) this.complain(`${kind} ${id} was removed twice.`);
      this.#removed.set(id, { force });
    }
    return reply;
  }

  /** For a removal with force that took more than one call. */
  noteRemoval(id: string): void {
    this.#removed.set(id, { force: true });
  }

  wasRemoved(id: string): boolean {
    return this.#removed.has(id);
  }

  changesOf(id: string): Fields[] {
    return this.#added.get(id)?.changes ?? [];
  }

  /** What the table holds of an object now; undefined when it is gone. */
  async stored(kind: Kind, id: string): Promise<Fields | undefined> {
    const reply = await this.call('GET', `${paths[kind]}/${id}`);
    return reply.status === 200 ? reply.body : undefined;
  }

  /** All that is wrong once every client is done. */
  async close({ lists = true }: { lists?: boolean } = {}): Promise<string[]> {
    await this.#arena.catchUp?.();
    const { table, request } = this.#arena;
    const read = (path: string) => request('GET', path);
    this.complaints.push(...(await checkInvariants(table, lists ? { read } : {})));
    const present = objectIds(await scan(table));
    for (const id of present)
      if (!this.#added.has(id)) this.complain(`${id} is there although no add of it was acknowledged.`);
    for (const id of this.#removed.keys())
      if (present.has(id)) this.complain(`${id} is there although its removal was acknowledged.`);
    const check = async (object: RecordedObject) => {
      const reply = await request('GET', `${paths[object.kind]}/${object.id}`);
      if (reply.status !== (present.has(object.id) ? 200 : 404))
        this.complain(`${object.kind} ${object.id}: the table and GET (${reply.status}) are not of one mind.`);
      if (!present.has(object.id) && !this.#isExplained(object))
        this.complain(
          `${object.kind} ${object.id} was acknowledged and is gone, and nobody removed it: ${JSON.stringify(object.object)}`,
        );
    };
    await Promise.all(Array.from(this.#added.values(), check));
    return this.complaints;
  }

  /** Whether an object may be gone: it was removed, or a forced removal of what it belonged to took it along. */
  #isExplained(recorded: RecordedObject): boolean {
    if (this.#removed.has(recorded.id)) return true;
    const isForced = (id: string) => this.#removed.get(id)?.force === true;
    const { object, changes } = recorded;
    if (recorded.kind === 'node') return false;
    if (recorded.kind === 'service') {
      // It goes with its last node. The last nodes are one of the lists that it was ever given.
      const lists: string[][] = [object, ...changes].flatMap(({ node_ids: ids }) => (ids === undefined ? [] : [ids]));
      return lists.some((ids) => ids.length > 0 && ids.some(isForced) && ids.every((id) => this.#removed.has(id)));
    }
    const { runs_on_node_id: nodeId, pmm_agent_id: parentId } = object;
    if (nodeId !== undefined && isForced(nodeId)) return true;
    if (parentId !== undefined && isForced(parentId)) return true;
    const watched: string[] = [object, ...changes].flatMap(({ insights }) => insights?.service_ids ?? []);
    return watched.some((id) => {
      const service = this.#added.get(id);
      return isForced(id) || (service !== undefined && !this.#removed.has(id) && this.#isExplained(service));
    });
  }
}

/** As many clients at once as there are actions; each has a source of chance of its own. */
async function race(random: Random, clients: readonly ((random: Random) => Promise<unknown>)[]): Promise<void> {
  await Promise.all(clients.map((client) => client(random.fork())));
}

const everyone = (client: (random: Random, index: number) => Promise<unknown>) =>
  Array.from({ length: CLIENTS }, (_, index) => (random: Random) => client(random, index));

const generic = (name: string, more: Fields = {}) => ({ node_type: 'generic', node_name: name, address: 'a', ...more });
const mysql = (name: string, more: Fields = {}) => ({
  service_type: 'mysql',
  service_name: name,
  address: 'a',
  port: 3306,
  ...more,
});
const external = (more: Fields) => ({ agent_type: 'external_exporter', listen_port: 9000, ...more });

/** Names that differ from round to round, and are few within one. */
function fewNames(random: Random, count: number): string[] {
  const tag = random.below(2 ** 32).toString(36);
  return Array.from({ length: count }, (_, index) => `${tag}-${index}`);
}

/**
 * (a) Adds and removals of the same few names, addresses and containers; or only adds of objects that nothing but their
 * names keeps apart.
 */
const namesInUse =
  (all: boolean): Round =>
  async (arena) => {
    const recorder = new Recorder(arena);
    const names = fewNames(arena.random, 3);
    await race(
      arena.random,
      everyone(async (random) => {
        for (let turn = 0; turn < 4; turn += 1) {
          const kind = random.pick(['node', 'node', 'service'] as const);
          const name = random.pick(names);
          const more = random.pick([
            {},
            all ? { region: random.pick(['eu', 'us']), address: random.pick(names) } : {},
            { node_type: 'container', container_id: random.pick(names) },
          ]);
          const object = await recorder.add(
            kind,
            kind === 'node' ? generic(name, more) : mysql(name, all ? { cluster: 'c' } : {}),
          );
          if (all && object !== undefined && random.chance(0.7))
            await recorder.remove(kind, object[`${kind}_id`], { force: random.chance(0.5) });
        }
      }),
    );
    return recorder.close();
  };

export const sameNames = namesInUse(true);
export const sameNamesAdded = namesInUse(false);

/** (b) Everything that can depend on a node is added to nodes while they are removed. */
function addsAgainstRemovals(force: boolean): Round {
  return async (arena) => {
    const recorder = new Recorder(arena);
    const names = fewNames(arena.random, 6);
    const nodes = await Promise.all(names.map((name) => recorder.mustAdd('node', generic(name))));
    const stays = nodes.pop() ?? '';
    const processes = await Promise.all(
      nodes.map((id) => recorder.mustAdd('agent', { agent_type: 'pmm_agent', runs_on_node_id: id })),
    );
    await race(arena.random, [
      ...nodes.map((id, index) => async (random: Random) => {
        await new Promise((resolve) => setTimeout(resolve, random.below(12)));
        if (!force) await recorder.remove('agent', processes[index] ?? '');
        await recorder.remove('node', id, { force });
      }),
      ...everyone(async (random, client) => {
        for (let turn = 0; turn < 4; turn += 1) {
          const place = random.below(nodes.length);
          const id = nodes[place] ?? '';
          const name = `${id}-${client}-${turn}`;
          const kind = random.below(7);
          if (kind === 0) await recorder.add('service', mysql(name, { node_ids: [id] }));
          if (kind === 1) await recorder.add('service', mysql(name, { node_ids: [stays, id] }));
          if (kind === 2) await recorder.add('agent', { agent_type: 'pmm_agent', runs_on_node_id: id });
          if (kind === 3) await recorder.add('agent', { agent_type: 'node_exporter', pmm_agent_id: processes[place] });
          if (kind === 4) await recorder.add('agent', external({ runs_on_node_id: id }));
          if (kind === 5) await recorder.add('agent', external({ insights: { node_ids: [id] } }));
          if (kind === 6) await recorder.call('GET', `/v1/agents?runs_on_node_id=${id}&page_size=2`);
        }
      }),
    ]);
    const complaints = await recorder.close();
    if (force)
      for (const id of nodes)
        if (!recorder.wasRemoved(id)) complaints.push(`the forced removal of node ${id} did not succeed.`);
    return complaints;
  };
}

export const addsAgainstRemoval = addsAgainstRemovals(false);
export const addsAgainstForcedRemoval = addsAgainstRemovals(true);

/** (c) Agents get insight into services that are removed with force; some of them must not, by their type. */
export const insightsAgainstForcedRemoval: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const [host = '', ...names] = fewNames(arena.random, 5);
  const node = await recorder.mustAdd('node', generic(host));
  const parent = await recorder.mustAdd('agent', { agent_type: 'pmm_agent', runs_on_node_id: node });
  const types = ['postgresql', 'mysql', 'mysql', 'mysql'];
  const services = await Promise.all(
    names.map((name, index) =>
      recorder.mustAdd('service', mysql(name, { service_type: types[index], node_ids: [node] })),
    ),
  );
  await race(arena.random, [
    ...services.slice(1).map((id) => async (random: Random) => {
      await new Promise((resolve) => setTimeout(resolve, random.below(12)));
      await recorder.remove('service', id, { force: true });
    }),
    ...everyone(async (random) => {
      for (let turn = 0; turn < 4; turn += 1) {
        const id = random.pick(services);
        const kind = random.below(5);
        if (kind === 0) await recorder.add('agent', external({ insights: { service_ids: [id] } }));
        if (kind === 1) await recorder.add('agent', external({ insights: { service_ids: [id], node_ids: [node] } }));
        if (kind === 2)
          await recorder.add(
            'agent',
            external({ insights: { service_ids: [...new Set([id, random.pick(services)])] } }),
          );
        if (kind === 3)
          await recorder.add('agent', {
            agent_type: 'mysqld_exporter',
            pmm_agent_id: parent,
            insights: { service_ids: [id] },
          });
        if (kind === 4) {
          const agent = await recorder.add('agent', external({}));
          if (agent !== undefined)
            await recorder.change('agent', agent['agent_id'], { insights: { service_ids: [id] } });
        }
      }
    }),
  ]);
  const complaints = await recorder.close();
  for (const id of services.slice(1))
    if (!recorder.wasRemoved(id)) complaints.push(`the forced removal of service ${id} did not succeed.`);
  return complaints;
};

/** A field that nothing is looked up by. */
const plainField = { node: 'distro', service: 'version', agent: 'username' } as const;

/** (d) Changes of the same objects, some of which move claims, label index entries and edges: each counts once, none is lost. */
const changesOfFewObjects =
  (links: boolean): Round =>
  async (arena) => {
    const recorder = new Recorder(arena);
    const [name = '', other = ''] = fewNames(arena.random, 2);
    const node = await recorder.mustAdd('node', generic(name));
    const second = await recorder.mustAdd('node', generic(other));
    const service = await recorder.mustAdd('service', mysql(name));
    const agent = await recorder.mustAdd('agent', external({}));
    const objects = [
      ['node', node],
      ['service', service],
      ['agent', agent],
    ] as const;
    await race(
      arena.random,
      everyone(async (random, client) => {
        for (let turn = 0; turn < 3; turn += 1) {
          const [kind, id] = random.pick(objects);
          const mark = `c${client}_${turn}`;
          const change = links ? { custom_labels: { [mark]: 'x' } } : { [plainField[kind]]: mark };
          const more =
            kind === 'node'
              ? { region: random.pick(['eu', 'us', null]) }
              : kind === 'service'
                ? { node_ids: random.some([node, second]), cluster: random.pick(['x', null]) }
                : { insights: { node_ids: random.some([node, second]) } };
          await recorder.change(kind, id, { ...change, ...(links && random.chance(0.5) ? more : {}) });
        }
      }),
    );
    for (const [kind, id] of objects) {
      const object = await recorder.stored(kind, id);
      const changes = recorder.changesOf(id);
      if (object?.['revision'] !== changes.length + 1)
        recorder.complain(`${kind} ${id} is at revision ${object?.['revision']} after ${changes.length} changes.`);
      const labels = Object.assign({}, ...changes.map((change) => change['custom_labels'] ?? {}));
      if (!isDeepStrictEqual(object?.['custom_labels'], labels))
        recorder.complain(`${kind} ${id} lost changes: ${JSON.stringify(object)} after ${JSON.stringify(changes)}.`);
    }

    // Of all who want to change or remove the very revision that they saw, one wins; the object is gone or one further.
    for (const [kind, id] of objects) {
      const before: number = (await recorder.stored(kind, id))?.['revision'];
      const headers = { 'If-Match': `"${before}"` };
      const statuses: number[] = [];
      await race(
        arena.random,
        everyone(async (random, client) => {
          const isRemoval = kind === 'agent' && client % 4 === 0;
          const mark = `${client}-${random.below(1000)}`;
          const change = links ? { custom_labels: { winner: mark } } : { [plainField[kind]]: mark };
          const reply = isRemoval
            ? await recorder.remove(kind, id, { headers })
            : await recorder.change(kind, id, change, headers);
          statuses.push(reply.status);
        }),
      );
      const winners = statuses.filter((status) => status === 200 || status === 204).length;
      if (winners !== 1)
        recorder.complain(`${winners} of ${CLIENTS} that named revision ${before} of ${kind} ${id} won.`);
      const after = (await recorder.stored(kind, id))?.['revision'];
      if (after !== (recorder.wasRemoved(id) ? undefined : before + 1))
        recorder.complain(`${kind} ${id} went from revision ${before} to ${after}.`);
    }
    return recorder.close();
  };

export const changesOfOneObject = changesOfFewObjects(true);
export const plainChangesOfOneObject = changesOfFewObjects(false);

/** (e) Nodes move among few addresses in circles. */
export const addressesInCircles: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const names = fewNames(arena.random, 4);
  const regions = ['eu', 'us'];
  const addresses = fewNames(arena.random, 3);
  const nodes = await Promise.all(
    names.map((name, index) =>
      recorder.mustAdd('node', generic(name, index < 3 ? { region: 'eu', address: addresses[index] } : {})),
    ),
  );
  await race(
    arena.random,
    everyone(async (random) => {
      for (let turn = 0; turn < 4; turn += 1) {
        const address = random.pick(addresses);
        const region = random.pick([...regions, null]);
        await recorder.change('node', random.pick(nodes), random.pick([{ address }, { region }, { address, region }]));
      }
    }),
  );
  return recorder.close();
};

/** (f) Services move among nodes during the removal of these nodes. */
export const movesAgainstRemovals: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const names = fewNames(arena.random, 5);
  const nodes = await Promise.all(names.map((name) => recorder.mustAdd('node', generic(name))));
  const stays = nodes.pop() ?? '';
  const lists = () => [[], [stays], [arena.random.pick(nodes)], arena.random.some(nodes)];
  const services = await Promise.all(
    fewNames(arena.random, 8).map((name) =>
      recorder.mustAdd('service', mysql(name, { node_ids: arena.random.pick(lists()) })),
    ),
  );
  // These leave their node for good. After a confirmed change, they must still exist at the end.
  const leavers = await Promise.all(
    nodes.map((id) => recorder.mustAdd('service', mysql(`leaves ${id}`, { node_ids: [id] }))),
  );
  const left = new Set<string>();
  await race(arena.random, [
    ...nodes.map((id) => async (random: Random) => {
      await new Promise((resolve) => setTimeout(resolve, random.below(20)));
      await recorder.remove('node', id, { force: random.chance(0.6) });
    }),
    ...leavers.map((id) => async (random: Random) => {
      await new Promise((resolve) => setTimeout(resolve, random.below(20)));
      const { status } = await recorder.change('service', id, { node_ids: random.pick([[], [stays]]) });
      if (status === 200) left.add(id);
    }),
    ...everyone(async (random) => {
      for (let turn = 0; turn < 3; turn += 1)
        await recorder.change('service', random.pick(services), {
          node_ids: random.pick([[], [stays], [random.pick(nodes)], random.some(nodes), [stays, random.pick(nodes)]]),
        });
    }),
  ]);
  for (const id of left)
    if ((await recorder.stored('service', id)) === undefined)
      recorder.complain(`service ${id} had left its node, and yet went with it.`);
  return recorder.close();
};

/** (h) Everybody reads what they wrote, at once. */
export const ownWrites: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const names = fewNames(arena.random, CLIENTS);
  await race(
    arena.random,
    everyone(async (random, client) => {
      const name = names[client] ?? '';
      const kind = random.pick(['node', 'service', 'agent'] as const);
      const body = kind === 'node' ? generic(name) : kind === 'service' ? mysql(name) : external({});
      const added = await recorder.add(kind, body);
      if (added === undefined) {
        recorder.complain(`${kind} ${name} was refused.`);
        return;
      }
      const id: string = added[`${kind}_id`];
      const expectStored = async (object: Fields | undefined, after: string) => {
        const { state: _, ...storedFields } = (await recorder.stored(kind, id)) ?? {};
        const { state: __, ...expected } = object ?? {};
        if (!isDeepStrictEqual(storedFields, expected))
          recorder.complain(
            `${kind} ${id} reads ${JSON.stringify(storedFields)} after the ${after} of ${JSON.stringify(object)}.`,
          );
      };
      await expectStored(added, 'add');
      const { status, body: changed } = await recorder.change(kind, id, { custom_labels: { a: 'b' } });
      if (status !== 200) recorder.complain(`the change of ${kind} ${id} was answered ${status}.`);
      await expectStored(changed, 'change');
      const { status: removed } = await recorder.remove(kind, id);
      if (removed !== 204) recorder.complain(`the removal of ${kind} ${id} was answered ${removed}.`);
      return expectStored(undefined, 'removal');
    }),
  );
  return recorder.close();
};

/** (i) API keys of the same few names are added and removed: names and ids stay one to one, and the counter counts. */
export const sameApiKeys: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const names = fewNames(arena.random, 3);
  const left = new Set<string>();
  await race(
    arena.random,
    everyone(async (random) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const body = { name: random.pick(names), role: random.pick(['Viewer', 'Admin']) };
        const added = await recorder.call('POST', '/v1/api-keys', { body });
        if (added.status !== 201) continue;
        const id: string = added.body.key_id;
        left.add(id);
        if (random.chance(0.3)) continue;
        const removals = await Promise.all([1, 2].map(() => recorder.call('DELETE', `/v1/api-keys/${id}`)));
        const acknowledged = removals.filter(({ status }) => status === 204).length;
        if (acknowledged !== 1) recorder.complain(`API key ${id} was removed ${acknowledged} times.`);
        left.delete(id);
      }
    }),
  );
  const complaints = await recorder.close();
  for (const id of left) await recorder.call('DELETE', `/v1/api-keys/${id}`);
  return complaints;
};

/** Lists are read while everything changes: whole pages of real objects, without a fault. */
export const listsMeanwhile: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const names = fewNames(arena.random, 4);
  const custom_labels = { team: 'dba' };
  const stays = await recorder.mustAdd(
    'node',
    generic(`${names[0]} stays`, { region: 'eu', address: names[0], custom_labels }),
  );
  const read = (path: string) => recorder.call('GET', path);
  await race(
    arena.random,
    everyone(async (random, client) => {
      if (client % 2 === 0) {
        for (let turn = 0; turn < 3; turn += 1) {
          const list = random.pick(['nodes', 'services', 'agents'] as const);
          const byNode = { services: { node_id: stays }, agents: { runs_on_node_id: stays }, nodes: { region: 'eu' } };
          const objects = await readList(read, list, {
            page_size: '2',
            ...(random.chance(0.7) ? byNode[list] : {}),
            ...(list === 'nodes' && random.chance(0.5) ? { selector: 'team in (dba,dev),region' } : {}),
            ...(random.chance(0.5) ? { include: 'state' } : {}),
          });
          const ids = objects.map((object) => object[`${list.slice(0, -1)}_id`]);
          if (new Set(ids).size < ids.length) recorder.complain(`/v1/${list} lists something twice: ${ids.join(' ')}.`);
          if (list === 'nodes' && !ids.includes(stays) && arena.catchUp === undefined)
            recorder.complain(`/v1/nodes leaves out ${stays}, which was there all the time.`);
        }
        return;
      }
      for (let turn = 0; turn < 3; turn += 1) {
        const name = random.pick(names);
        const kind = random.pick(['node', 'service', 'agent'] as const);
        const object =
          kind === 'node'
            ? await recorder.add('node', generic(name, { region: 'eu', address: name, custom_labels }))
            : kind === 'service'
              ? await recorder.add('service', mysql(name, { node_ids: [stays] }))
              : await recorder.add('agent', external({ runs_on_node_id: stays }));
        if (object !== undefined && random.chance(0.7)) await recorder.remove(kind, object[`${kind}_id`]);
      }
    }),
  );
  return recorder.close();
};

interface Crowd {
  node: string;
  /** Dependants that a forced removal of the node takes along. */
  going: [Kind, string][];
  /** Dependants that stay and lose the node. */
  staying: [Kind, string][];
}

/** A node with dependants of every kind, too many for a removal in one transaction. */
export async function crowdedNode(recorder: Recorder, random: Random, dependants: number): Promise<Crowd> {
  const [name = '', other = ''] = fewNames(random, 2);
  const node = await recorder.mustAdd('node', generic(name));
  const stays = await recorder.mustAdd('node', generic(other));
  const process = await recorder.mustAdd('agent', { agent_type: 'pmm_agent', runs_on_node_id: node });
  const otherProcess = await recorder.mustAdd('agent', { agent_type: 'pmm_agent', runs_on_node_id: stays });
  const crowd: Crowd = { node, going: [['agent', process]], staying: [] };
  let next = 0;
  const addOne = async (index: number) => {
    const { going, staying } = crowd;
    const service = `${name} ${index}`;
    if (index % 6 === 0) going.push(['agent', await recorder.mustAdd('agent', external({ runs_on_node_id: node }))]);
    if (index % 6 === 1)
      going.push(['agent', await recorder.mustAdd('agent', { agent_type: 'node_exporter', pmm_agent_id: process })]);
    if (index % 6 === 2)
      going.push(['service', await recorder.mustAdd('service', mysql(service, { node_ids: [node] }))]);
    if (index % 6 === 3) {
      const id = await recorder.mustAdd('service', mysql(service, { node_ids: [node] }));
      const insights = { service_ids: [id] };
      const agent = { agent_type: 'mysqld_exporter', pmm_agent_id: otherProcess, insights };
      going.push(['service', id], ['agent', await recorder.mustAdd('agent', agent)]);
    }
    if (index % 6 === 4)
      staying.push(['service', await recorder.mustAdd('service', mysql(service, { node_ids: [node, stays] }))]);
    if (index % 6 === 5)
      staying.push(['agent', await recorder.mustAdd('agent', external({ insights: { node_ids: [node, stays] } }))]);
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < dependants) await addOne(next++);
    }),
  );
  return crowd;
}

/** (g) A node with more dependants than a transaction holds is removed with force while others add to it. */
export const crowdedNodeAgainstAdds =
  (dependants: number): Round =>
  async (arena) => {
    const recorder = new Recorder(arena);
    const { node, going, staying } = await crowdedNode(recorder, arena.random, dependants);
    let isOver = false;
    const remove = async () => {
      let reply = await recorder.remove('node', node, { force: true });
      let repeats = 0;
      for (; repeats < MAX_REPEATS && reply.status === 503; repeats += 1)
        reply = await recorder.remove('node', node, { force: true });
      isOver = true;
      // The request before it may have finished after its answer.
      if (reply.status === 404 && repeats > 0) recorder.noteRemoval(node);
      else if (reply.status !== 204)
        recorder.complain(`the forced removal was answered ${reply.status} ${reply.text}.`);
    };
    await race(arena.random, [
      remove,
      ...everyone(async (random, client) => {
        for (let turn = 0; !isOver && turn < 1000; turn += 1) {
          const name = `${node}-${client}-${turn}`;
          const kind = random.below(8);
          if (kind < 3) await recorder.add('service', mysql(name, { node_ids: [node] }));
          if (kind === 3 || kind === 4) await recorder.add('agent', external({ runs_on_node_id: node }));
          if (kind === 5 || kind === 6) await recorder.add('agent', external({ insights: { node_ids: [node] } }));
          // A concurrent change of a dependant makes a step stale.
          if (kind === 7)
            await recorder.change(...random.pick([...going, ...staying]), {
              custom_labels: { [`c${client}_${turn}`]: 'x' },
            });
          await new Promise((resolve) => setTimeout(resolve, 20 + random.below(40)));
        }
      }),
    ]);
    for (const [kind, id] of going)
      if ((await recorder.stored(kind, id)) !== undefined) recorder.complain(`${kind} ${id} did not go with its node.`);
    for (const [kind, id] of staying)
      if ((await recorder.stored(kind, id)) === undefined)
        recorder.complain(`${kind} ${id} went with a node that was not its only one.`);
    return recorder.close();
  };

/**
 * (g) The removal is cut off after each few writes, and asked for again until it is done: in between the invariants
 * hold, and what is being removed takes on nothing new.
 *
 * @param cut lets this many more writes through; without a number all of them.
 */
export const removalInPieces =
  (dependants: number, cut: (writes?: number) => void): Round =>
  async (arena) => {
    const recorder = new Recorder(arena);
    const { node, going, staying } = await crowdedNode(recorder, arena.random, dependants);
    const path = `/v1/nodes/${node}?force=true`;
    for (let call = 1; ; call += 1) {
      // The first write closes what goes; two more make headway. Fewer calls than this would not be cut off at all.
      cut(call < 4 ? 1 + call : 3 + arena.random.below(3));
      const { status } = await arena.request('DELETE', path);
      cut();
      if (status === 204) {
        if (call < 3) recorder.complain(`the removal was done after ${call} calls: nothing was cut off.`);
        break;
      }
      if (status < 500) recorder.complain(`the removal that was cut off was answered ${status}.`);
      if (call > 100) return [...recorder.complaints, 'the removal makes no headway.'];
      recorder.complaints.push(...(await checkInvariants(arena.table, { inProgress: true })));
      const refused = await arena.request('POST', paths.service, {
        body: mysql(`${node} ${call}`, { node_ids: [node] }),
      });
      if (refused.status !== 400 || !refused.text.includes('is being removed'))
        recorder.complain(`a node that is being removed answered an add with ${refused.status} ${refused.text}.`);
    }
    for (const [kind, id] of going)
      if ((await recorder.stored(kind, id)) !== undefined) recorder.complain(`${kind} ${id} did not go with its node.`);
    for (const [kind, id] of staying)
      if ((await recorder.stored(kind, id)) === undefined)
        recorder.complain(`${kind} ${id} went with a node that was not its only one.`);
    // It was removed past the recorder, in several calls: the last one has nothing left to remove.
    if ((await arena.request('DELETE', path)).status !== 404) recorder.complain('the node can be removed twice.');
    recorder.noteRemoval(node);
    return recorder.close();
  };

/**
 * (k) Declarations of a few nodes, services and agents, while agents with the same keys are added, change their targets and go,
 * with what they watch.
 */
export const sameDeclarations: Round = async (arena) => {
  const recorder = new Recorder(arena);
  const names = fewNames(arena.random, 2);
  const host = await recorder.mustAdd('node', generic(`${names[0]!}-host`));
  const process = await recorder.mustAdd('agent', { agent_type: 'pmm_agent', runs_on_node_id: host });
  const services = await Promise.all(
    [1, 2, 3].map((index) => recorder.mustAdd('service', mysql(`${names[0]!}-${index}s`))),
  );
  const agents: string[] = [];
  await race(
    arena.random,
    everyone(async (random) => {
      for (let turn = 0; turn < 6; turn += 1) {
        const insights = { service_ids: services.filter(() => random.chance(0.4)) };
        const exporter = random.pick([
          { agent_type: 'mysqld_exporter', pmm_agent_id: process, insights },
          { agent_type: 'node_exporter', pmm_agent_id: process },
          { agent_type: 'node_exporter', pmm_agent_id: process, insights: { node_ids: [host] } },
        ]);
        const more = random.pick([{}, { disabled: true }, { log_level: 'info' }]);
        const nodeNames = random.pick(names);
        const act = random.pick([
          () => recorder.declare('node', generic(nodeNames, random.pick([{}, { region: 'eu', address: nodeNames }]))),
          () =>
            recorder.declare('service', mysql(nodeNames, random.pick([{}, { node_ids: [host] }, { cluster: 'c' }]))),
          () => recorder.declare('agent', { ...exporter, ...more }),
          () => recorder.declare('agent', { ...exporter, ...more }),
          () => recorder.declare('agent', { ...exporter, ...more }),
          () => recorder.add('agent', exporter),
          () => (agents.length === 0 ? undefined : recorder.change('agent', random.pick(agents), { insights })),
          () =>
            agents.length === 0 ? undefined : recorder.change('agent', random.pick(agents), { listen_port: 1 + turn }),
          () => (agents.length === 0 ? undefined : recorder.remove('agent', random.pick(agents))),
        ]);
        const object: unknown = await act();
        if (typeof object === 'object' && object !== null && 'agent_id' in object) agents.push(String(object.agent_id));
        if (random.chance(0.02)) await recorder.remove('service', random.pick(services), { force: true });
      }
    }),
  );
  // By every key there is one agent, and who declares it again finds it.
  for (const exporter of [
    ...services.map((id) => ({
      agent_type: 'mysqld_exporter',
      pmm_agent_id: process,
      insights: { service_ids: [id] },
    })),
    { agent_type: 'node_exporter', pmm_agent_id: process },
  ]) {
    const [first, second] = [await recorder.declare('agent', exporter), await recorder.declare('agent', exporter)];
    if (first?.['agent_id'] !== second?.['agent_id'] || first?.['revision'] !== second?.['revision'])
      recorder.complain(`${JSON.stringify(exporter)} was declared twice, and is ${JSON.stringify([first, second])}.`);
  }
  return recorder.close();
};
