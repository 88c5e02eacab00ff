import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { ensureTable } from '../../local/engine/table.ts';
import type { Table } from '../../shared/db/table.ts';
import fc from '../../shared/testing/fast-check.ts';
import { restoreInventory } from '../../tools/restore-inventory.ts';
import { addAgent, addHost } from '../support/add.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { checkInvariants, scan } from './invariants.ts';
import { testTime } from '../support/test-time.ts';

// Reports of relays and a plain model of them: heartbeat groups change nothing that a client can see.

const MINUTE = 60_000;
const STALE_MS = 10 * MINUTE;
const OFFLINE_MS = 30 * MINUTE;
const HOSTS = 14;

/** More reports of a host than a sequence has between two waits. */
const MAX_REPORTS_AT_ONCE = 100;

interface Host {
  nodeId: string;
  pmmAgentId: string;
  agentId: string;
}

type Status = 'running' | 'waiting';

/** A host as the model knows it. */
interface ModelHost {
  /** The time of the last report; undefined: none. */
  last: number | undefined;
  isLost: boolean;
  /** `unknown`: no report had one. */
  status: Status | 'unknown';
  removed: boolean;
}

/** The hosts of one request: some in a row, and those whose status changes. */
interface Request {
  from: number;
  count: number;
  news: number[];
  isEmpty: boolean;
}

type Step =
  | { do: 'wait'; minutes: number }
  | ({ do: 'relay' } & Request)
  | { do: 'two relays'; first: Request; second: Request; isNewConnection: boolean }
  | { do: 'relay dies'; request: Request; calls: number; isWritten: boolean }
  | { do: 'direct' | 'lose' | 'remove' | 'change timer'; host: number }
  | { do: 'add again' | 'back up' | 'restore' };

const anyHost = fc.nat(HOSTS - 1);
const anyRequest: fc.Arbitrary<Request> = fc.record({
  from: anyHost,
  count: fc.integer({ min: 6, max: HOSTS }),
  news: fc.array(anyHost, { maxLength: 2 }),
  isEmpty: fc.boolean(),
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 5, arbitrary: anyRequest.map((request) => ({ do: 'relay' as const, ...request })) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('two relays' as const),
      first: anyRequest,
      second: anyRequest,
      isNewConnection: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('relay dies' as const),
      request: anyRequest,
      calls: fc.nat(14),
      isWritten: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('direct', 'direct', 'lose', 'change timer', 'remove'), host: anyHost }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('add again', 'back up', 'restore') }) },
);

const all: Request = { from: 0, count: HOSTS, news: [], isEmpty: false };

/** One of each step, so that every run has them. */
const eachStep: readonly Step[] = [
  { do: 'back up' },
  {
    do: 'two relays',
    first: { ...all, count: 10, news: [3] },
    second: { ...all, from: 5, count: 9 },
    isNewConnection: true,
  },
  { do: 'wait', minutes: 6 },
  { do: 'relay dies', request: { ...all, news: [1, 2] }, calls: 9, isWritten: true },
  { do: 'remove', host: 4 },
  { do: 'remove', host: 11 },
  { do: 'add again' },
  { do: 'wait', minutes: 4 },
  { do: 'relay', ...all },
  { do: 'two relays', first: { ...all, isEmpty: true }, second: { ...all, from: 3, count: 8 }, isNewConnection: false },
  { do: 'restore' },
  { do: 'relay', ...all },
  { do: 'lose', host: 0 },
  { do: 'direct', host: 1 },
  { do: 'change timer', host: 2 },
  { do: 'wait', minutes: 11 },
  { do: 'relay dies', request: all, calls: 6, isWritten: false },
];

const stateAt = (at: number | undefined, isLost: boolean, now: number) => {
  if (at === undefined) return 'never_seen';
  const age = now - at;
  return age >= OFFLINE_MS ? 'offline' : age >= STALE_MS || isLost ? 'stale' : 'live';
};

/** An inventory with hosts, and the model of it. */
class World {
  readonly #inventory: Inventory;
  readonly #backup: Table;
  #hosts: Host[] = [];
  #modelHosts: ModelHost[] = [];
  #backedUp: { hosts: Host[]; modelHosts: ModelHost[] } | undefined;
  #steps = 0;
  /** Calls of the table until a relay dies, and whether the last one still takes effect. */
  #life = { calls: Infinity, isWritten: false };

  constructor(inventory: Inventory) {
    this.#inventory = inventory;
    this.#backup = { ...inventory.table, name: `${inventory.table.name}-${randomUUID().slice(0, 8)}` };
    inventory.clock.now = testTime();
    inventory.table.client.use((next) => async (call) => {
      this.#life.calls -= 1;
      if (this.#life.calls < 0 && !this.#life.isWritten) throw new Error('The process was killed.');
      const output = await next(call);
      if (this.#life.calls < 0) {
        this.#life.isWritten = false;
        throw new Error('The process was killed.');
      }
      return output;
    });
  }

  get #now(): number {
    return this.#inventory.clock.now?.getTime() ?? NaN;
  }

  async #host(): Promise<Host> {
    const { nodeId, pmmAgentId } = await addHost(this.#inventory);
    const exporter = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
    const { agent_id: agentId } = await addAgent(this.#inventory, exporter);
    return { nodeId, pmmAgentId, agentId: String(agentId) };
  }

  /** Hosts in a group, each with a known status. */
  async begin(): Promise<void> {
    for (let index = 0; index < HOSTS; index += 1) {
      this.#hosts.push(await this.#host());
      this.#modelHosts.push({ last: undefined, isLost: false, status: 'running', removed: false });
    }
    await this.take({ do: 'relay', ...all });
    await this.take({ do: 'wait', minutes: 4 });
    await this.take({ do: 'relay', ...all });
  }

  /** The reports of a request, with the change of the model when they are taken. */
  #reports({ from, count, news, isEmpty }: Request, more: object = {}) {
    const indexes = Array.from({ length: count }, (_, index) => (from + index) % HOSTS);
    const statuses = indexes.map((index): Status => {
      const isRunning = this.#modelHosts[index]!.status === 'running';
      return news.includes(index) === isRunning ? 'waiting' : 'running';
    });
    const isSilent = (index: number) => isEmpty && !news.includes(index);
    const reports = indexes.map((index, position) => {
      const { pmmAgentId, agentId } = this.#hosts[index]!;
      const agents = isSilent(index) ? [] : [{ agent_id: agentId, status: statuses[position] }];
      return { pmm_agent_id: pmmAgentId, reset: true, agents, ...more };
    });
    const apply = () => {
      for (const [position, index] of indexes.entries()) {
        const host = this.#modelHosts[index]!;
        if (host.removed) continue;
        const status = isSilent(index) ? host.status : statuses[position]!;
        Object.assign(host, { last: this.#now, isLost: false, status });
      }
    };
    const expected = indexes.map((index) => (this.#modelHosts[index]!.removed ? 404 : 200));
    return { reports, expected, apply };
  }

  async #send({ reports, expected }: { reports: object[]; expected: number[] }): Promise<void> {
    const { body } = await this.#relay(reports);
    expect(body.results.map(({ status }: any) => status)).toEqual(expected);
  }

  #relay(reports: object[]) {
    return this.#inventory.request('POST', '/v1/reports', { as: 'Relay', body: { reports } });
  }

  async #die({ request, calls, isWritten }: Extract<Step, { do: 'relay dies' }>): Promise<void> {
    const sent = this.#reports(request);
    this.#life = { calls, isWritten };
    await this.#relay(sent.reports);
    this.#life = { calls: Infinity, isWritten: false };
    expect(await checkInvariants(this.#inventory.table)).toEqual([]);
    // The relay starts again, and repeats what was not answered.
    await this.#send(sent);
    sent.apply();
  }

  async #both({ first, second, isNewConnection }: Extract<Step, { do: 'two relays' }>): Promise<void> {
    // Of the same host only one of them has news: otherwise any order would be right.
    const firstReport = this.#reports(first);
    const quiet = { ...second, news: [], isEmpty: true };
    const other = this.#reports(quiet, isNewConnection ? { connected: true } : {});
    await Promise.all([this.#send(firstReport), this.#send(other)]);
    firstReport.apply();
    other.apply();
  }

  async #backUp(): Promise<void> {
    await ensureTable(this.#backup);
    const items = await scan(this.#inventory.table);
    const backupItems = await scan(this.#backup);
    const requests = [
      ...backupItems
        .filter(({ pk, sk }) => !items.some((item) => item['pk'] === pk && item['sk'] === sk))
        .map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
      ...items.map((Item) => ({ PutRequest: { Item } })),
    ];
    for (let start = 0; start < requests.length; start += 25)
      await this.#backup.client.send(
        new BatchWriteCommand({ RequestItems: { [this.#backup.name]: requests.slice(start, start + 25) } }),
      );
    this.#backedUp = structuredClone({ hosts: this.#hosts, modelHosts: this.#modelHosts });
  }

  async #restore(): Promise<void> {
    if (this.#backedUp === undefined) return;
    await restoreInventory({ from: this.#backup, to: this.#inventory.table }, { apply: true });
    ({ hosts: this.#hosts, modelHosts: this.#modelHosts } = structuredClone(this.#backedUp));
  }

  async #addAgain(): Promise<void> {
    for (const [index, { removed }] of this.#modelHosts.entries())
      if (removed) {
        this.#hosts[index] = await this.#host();
        this.#modelHosts[index] = { last: undefined, isLost: false, status: 'unknown', removed: false };
      }
  }

  async #ofHost({ do: what, host }: Extract<Step, { host: number }>): Promise<void> {
    const [{ nodeId, pmmAgentId }, model] = [this.#hosts[host]!, this.#modelHosts[host]!];
    if (model.removed) return;
    const ask = async (method: string, path: string, body?: object) =>
      expect(
        (await this.#inventory.request(method, path, { as: 'Editor', ...(body && { body }) })).status,
      ).toBeLessThan(300);
    if (what === 'remove') {
      await ask('DELETE', `/v1/nodes/${nodeId}?force=true`);
      model.removed = true;
    } else if (what === 'change timer') {
      // The same time in other words: the life of the node is written again.
      await ask('PATCH', `/v1/nodes/${nodeId}`, { offline_after: this.#steps % 2 === 0 ? '30m' : '1800s' });
    } else {
      const lost = what === 'lose' ? { connected: false } : {};
      await ask('POST', `/v1/agents/${pmmAgentId}/report`, { agents: [], ...lost });
      Object.assign(model, { last: this.#now, isLost: what === 'lose' });
    }
  }

  /** Takes a step in the inventory and in the model. */
  async take(step: Step): Promise<void> {
    this.#steps += 1;
    if (step.do === 'wait') this.#inventory.clock.now = new Date(this.#now + step.minutes * MINUTE);
    else if (step.do === 'relay') {
      const sent = this.#reports(step);
      await this.#send(sent);
      sent.apply();
    } else if (step.do === 'two relays') await this.#both(step);
    else if (step.do === 'relay dies') await this.#die(step);
    else if (step.do === 'back up') await this.#backUp();
    else if (step.do === 'restore') await this.#restore();
    else if (step.do === 'add again') await this.#addAgain();
    else if ('host' in step) await this.#ofHost(step);
  }

  /** Every way to read states says the same, and a time that the last report allows. */
  async compare(): Promise<void> {
    const get = async (path: string) => (await this.#inventory.request('GET', path, { as: 'Viewer' })).body;
    const [{ nodes }, { agents }] = [
      await get('/v1/nodes?include=state&page_size=100'),
      await get('/v1/agents?include=state&page_size=100'),
    ];
    const byState = new Map<string, string>();
    for (const wanted of ['live', 'stale', 'offline', 'never_seen'])
      for (const { node_id: id } of (await get(`/v1/nodes?state=${wanted}&page_size=100`)).nodes)
        byState.set(id, wanted);
    expect(nodes).toHaveLength(this.#modelHosts.filter(({ removed }) => !removed).length);
    for (const [index, { nodeId, agentId }] of this.#hosts.entries()) {
      const { last, isLost, removed, status } = this.#modelHosts[index]!;
      const listed = nodes.find(({ node_id: id }: any) => id === nodeId);
      const agent = agents.find(({ agent_id: id }: any) => id === agentId);
      if (removed) {
        expect([listed, agent, byState.get(nodeId)]).toEqual([undefined, undefined, undefined]);
        continue;
      }
      const at = listed.reported_at === undefined ? undefined : Date.parse(listed.reported_at);
      if (at === undefined || last === undefined) expect([at, last]).toEqual([undefined, undefined]);
      else {
        // Reports within one millisecond of the clock have times of their own.
        expect(at).toBeLessThan(last + MAX_REPORTS_AT_ONCE);
        expect(last - at).toBeLessThan(STALE_MS / 2);
      }
      const expected = stateAt(at, isLost, this.#now);
      expect([listed.state, agent.state, byState.get(nodeId)]).toEqual(Array(3).fill(expected));
      if (last !== undefined) expect(agent.status).toBe(expected === 'offline' ? 'unknown' : status);
      // Each step gets some of them, some steps all.
      if ((index + this.#steps) % 4 > 0) continue;
      const read = await get(`/v1/nodes/${nodeId}`);
      expect([read.state, read.reported_at]).toEqual([expected, listed.reported_at]);
    }
  }
}

/** Takes the steps one after the other, each in the inventory and in the model, which must agree after each of them. */
async function follow(steps: readonly Step[]): Promise<void> {
  // As in the cloud: a restoration does not know the seals of one machine.
  const inventory = await startInventory();
  try {
    const world = new World(inventory);
    await world.begin();
    for (const step of steps) {
      await world.take(step);
      await world.compare();
    }
    expect(await checkInvariants(inventory.table)).toEqual([]);
  } finally {
    await inventory.stop();
  }
}

/** A sequence with one of each step. */
export const followEachStep = (): Promise<void> => follow(eachStep);

/** Random sequences of steps. */
export const followRandomSteps = (runs: number, length: { minLength: number; maxLength: number }): Promise<void> =>
  fc.assert(fc.asyncProperty(fc.array(anyStep, length), follow), { numRuns: runs, endOnFailure: true });
