import type { Table } from '../../../shared/db/table.ts';
import { inFull } from '../../../shared/testing/extent.ts';
import type { Position } from '../../../shared/db/page-token.ts';
import { putObjectsWithHeartbeats } from '../../../tests/support/stored-objects.ts';
import { meter } from '../../../tests/costs/meter.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, startTable } from '../../../tests/support/table.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ensureTable } from '../../../local/engine/table.ts';
import type { AgentStatus } from '../../domain/agent/types.ts';
import { type State, states } from '../../domain/fields/liveness.ts';
import { type Entity, type EntityOf, idOf, itemOf, orderOf } from '../entities/entity.ts';
import { newHeartbeat, readHeartbeats, toHeartbeat } from '../heartbeats/heartbeat.ts';
import { stateOf } from '../heartbeats/shown-state.ts';
import { type HeartbeatFilter, matchesHeartbeat } from '../heartbeats/heartbeat-filter.ts';
import { objectKinds, type ObjectKind } from '../../domain/fields/object-kind.ts';
import { statesAt } from './by-states.ts';
import { listAgents } from './list-agents.ts';
import { listNodes } from './list-nodes.ts';
import { listServices, serviceQuestion } from './list-services.ts';
import { planOf } from './plan.ts';
import { isCommon, isWalk, walkState } from './state-walk.ts';
import { testTime } from '../../../tests/support/test-time.ts';

const HOUR = 3_600_000;
const NOW = testTime();

const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

const report = (table: Table, process: EntityOf<'agent'>, now: Date, running: readonly Entity[] = []) =>
  reportOf(
    table,
    process,
    now,
    running.map((agent) => ({ agent_id: idOf(agent), status: 'running' })),
  );

describe('the reads of a walk', () => {
  /** It says whether others follow. */
  const ONE_MORE = 1;

  /** The heartbeats of nodes that are live, and of others that were never seen. */
  const heartbeatsOf = (live: number, others = 0) =>
    Array.from({ length: live + others }, (_, index) => {
      const { object } = node({ node_id: String(index).padStart(4, '0') });
      const processes = new Map(index < live ? [['p', { at: NOW.getTime(), agents: {} }]] : []);
      return { ...toHeartbeat(newHeartbeat(object, NOW)), processes };
    });
  const wanted: HeartbeatFilter = { states: new Set(['live']), statuses: undefined, now: NOW };
  const query = { kind: 'service' as const, wanted, prefix: '' };

  test('a state is common if more than a tenth of the first nodes are in it', () => {
    const isCommonAmong = (live: number, others: number) =>
      isCommon(query, { heartbeats: heartbeatsOf(live, others), reach: undefined });
    expect([isCommonAmong(2, 18), isCommonAmong(3, 17)]).toEqual([false, true]);
  });

  test('a round reads the services of 50 nodes, or 500 heartbeats of each partition', async () => {
    const reads: { Limit: number }[] = [];
    const table = fakeTable((_, input) => {
      reads.push(input);
      return { Items: [] };
    });
    const walk = { query, filter: () => true };
    const first = { heartbeats: heartbeatsOf(60), reach: undefined };
    const { next: after } = await walkState(table, { ...walk, first }, { size: 10, after: undefined });
    expect([reads.splice(0).length, after]).toEqual([50, ['', 'walk:0049']]);
    await walkState(table, { ...walk, first: undefined }, { size: 10, after: undefined });
    expect(reads.map(({ Limit }) => Limit)).toEqual(Array(16).fill(500 + ONE_MORE));
  });

  test.each([
    ['node', ['', 'walk:0001']],
    ['agent', ['external_exporter#1', 'walk:0000']],
  ] as const)('a page of %ss ends before the object that does not fit into a reply', async (kind, end) => {
    const pageWith = async (bytes: number) => {
      const custom_labels = { text: 'x'.repeat(bytes) };
      const objects: Entity[] = ['0000', '0001', '0002'].map((node_id, index) =>
        kind === 'node'
          ? node({ node_id, custom_labels })
          : external({}, { agent_id: String(index), runs_on_node_id: '0000', custom_labels }),
      );
      const table = fakeTable((command, input) => {
        if (command === 'QueryCommand')
          return { Items: objects.map((entity) => ({ sk: `AGENT#${orderOf(entity)}`, object_id: idOf(entity) })) };
        const keys: { pk: string }[] = input.RequestItems.t.Keys;
        return { Responses: { t: objects.map(itemOf).filter(({ pk }) => keys.some((key) => key.pk === pk)) } };
      });
      const first = { heartbeats: heartbeatsOf(kind === 'node' ? 3 : 1), reach: undefined };
      const walk = { query: { ...query, kind }, filter: () => true, first };
      const { objects: shown, places, next } = await walkState(table, walk, { size: 10, after: undefined });
      return [shown.length, places?.[1], next];
    };
    expect(await pageWith(2_000_000)).toEqual([2, end, end]);
    expect(await pageWith(1)).toEqual([3, end, undefined]);
  });

  test('a list of a rare state begins with 100 heartbeats of each partition', async () => {
    const limits: unknown[] = [];
    const table = fakeTable((_, { Limit }) => {
      limits.push(Limit);
      return { Items: [] };
    });
    await planOf(table, 'service', serviceQuestion({ state: 'live' }), undefined, { states: statesAt(NOW) });
    expect(limits.slice(0, 16)).toEqual(Array(16).fill(100 + ONE_MORE));
  });
});

describe('with any limits of its reads', () => {
  let table: Table;
  let stop: () => Promise<void>;
  const objects: Entity[] = [];
  /** Hosts: each state has two at least. */
  const COUNT = 8;

  beforeAll(async () => {
    ({ table, stop } = await startTable());
    // Live, stale, offline, never seen, and one with a live and an offline process.
    const timers = { stale_after: '2h', offline_after: '4h' };
    const hosts = Array.from({ length: COUNT }, () => {
      const place = node(timers);
      return { place, processes: [pmmAgent(place), pmmAgent(place)] };
    });
    const at = (index: number) => hosts[index]!.place;
    const services = [
      ...hosts.map(({ place }) => service([place])),
      ...[service(), service()],
      ...hosts.map((_, index) => service([at(index), at((index + 1) % COUNT), at((index + 4) % COUNT)])),
    ];
    const exporters = hosts.map(({ processes }) => processes.map((process) => exporter(process, [services[0]!])));
    const agents = [...exporters.flat(), ...[external({ services: [services[1]!] }), external({ nodes: [at(3)] })]];
    objects.push(...hosts.flatMap(({ place, processes }) => [place, ...processes]), ...services, ...agents);
    for (const entity of objects) await addAll(table, entity);
    for (const [index, { processes }] of hosts.entries()) {
      const [first, second] = [processes[0]!, processes[1]!];
      if (index % 4 !== 3) await report(table, first, ago((index % 4) * 2.5), exporters[index]!.slice(0, 1));
      if (index % 6 === 5) await report(table, second, ago(9));
    }
  });
  afterAll(() => stop());

  interface Case {
    kind: ObjectKind;
    states?: readonly State[];
    statuses?: readonly AgentStatus[];
    prefix?: string;
  }

  const filterOf = ({ states: wanted, statuses }: Case): HeartbeatFilter => ({
    states: wanted && new Set(wanted),
    statuses: statuses && new Set(statuses),
    now: NOW,
  });

  async function walked(question: Case, size: number, all: number): Promise<string[]> {
    const walkedIds: string[] = [];
    const wanted = filterOf(question);
    let after: Position | undefined;
    do {
      const walk = {
        query: { kind: question.kind, wanted, prefix: question.prefix ?? '' },
        filter: () => true,
        first: undefined,
        limits: { heartbeats: all, nodes: all },
      };
      const page = await walkState(table, walk, { size, after });
      expect(page.objects.length).toBeLessThanOrEqual(size);
      walkedIds.push(...page.objects.filter((entity) => matchesHeartbeat(wanted, entity, page.heartbeats!)).map(idOf));
      after = page.next;
      if (after !== undefined) expect(isWalk(after)).toBe(true);
    } while (after !== undefined);
    return walkedIds;
  }

  const cases: Case[] = [
    ...objectKinds.flatMap((kind) => [
      ...states.map((state) => ({ kind, states: [state] })),
      { kind, states: ['stale', 'offline'] as const },
      { kind, states: ['live', 'never_seen'] as const },
    ]),
    { kind: 'agent', statuses: ['running'] },
    { kind: 'agent', statuses: ['running', 'unknown'] },
    { kind: 'agent', statuses: ['running'], states: ['stale', 'live'] },
    { kind: 'agent', statuses: ['unknown'], states: ['offline', 'never_seen'] },
  ];

  /** Sizes of pages, each with the number of heartbeats that a page reads at most. */
  const smallPages: [number, number][] = [
    [1, 2],
    [2, 3],
    [3, 20],
  ];

  test.each(cases)('a walk lists each object of %j once, in pages of any size', async (question) => {
    const heartbeats = await readHeartbeats(table, objects);
    const expected = objects.filter(
      (entity) => entity.kind === question.kind && matchesHeartbeat(filterOf(question), entity, heartbeats),
    );
    expect(expected.length).toBeGreaterThan(0);
    // The smallest pages take most reads: in the short form, one case has them.
    const place = cases.indexOf(question);
    const pages = inFull(smallPages, [smallPages[place === 0 ? 0 : 1 + (place % 2)]!]);
    for (const [size, all] of [...pages, [100, 100] as const])
      expect([size, (await walked(question, size, all)).sort()]).toEqual([size, expected.map(idOf).sort()]);
  });

  test('a walk by type does not read agents of other types', async () => {
    const heartbeats = await readHeartbeats(table, objects);
    const expected = objects.filter(
      (entity) =>
        entity.kind === 'agent' &&
        entity.object.agent_type === 'pmm_agent' &&
        stateOf(entity, heartbeats, NOW) === 'offline',
    );
    const question: Case = { kind: 'agent', states: ['offline'], prefix: 'pmm_agent#' };
    expect((await walked(question, 2, 4)).sort()).toEqual(expected.map(idOf).sort());
  });
});

/** More than the first heartbeats of a walk; in full, more than all of one. */
const NODES = inFull(9000, 1800);

describe(`of an inventory of ${NODES} nodes`, () => {
  let table: Table;
  let stop: () => Promise<void>;
  let offline: EntityOf<'node'>[];
  let count: ReturnType<typeof meter>;

  beforeAll(async () => {
    const engine = await startEngine({ environment: process.env });
    table = engine.open('walk');
    stop = () => engine.stop();
    await ensureTable(table);
    const nodes = Array.from({ length: NODES }, () => node());
    await putObjectsWithHeartbeats(table, nodes);
    offline = Array.from({ length: 3 }, () => node());
    for (const place of offline) {
      const process = pmmAgent(place);
      await addAll(table, place, process, service([place]));
      await report(table, process, ago(1));
    }
    count = meter(table);
  });
  afterAll(() => stop());

  const lists = { node: listNodes, service: listServices, agent: listAgents };

  test.each(objectKinds)(
    'a list of %ss in a rare state is one page, which reads each heartbeat about once',
    async (kind) => {
      const calls = await count.during(async () => {
        const page = await lists[kind](
          table,
          { state: 'offline' },
          { size: 100, after: undefined },
          { scope: undefined, now: NOW },
        );
        expect([page.objects.length, page.next]).toEqual([3, undefined]);
      });
      // 26 heartbeats are one unit; those that one partition has after the end of another are read again.
      expect(calls.reduce((sum, { units }) => sum + units, 0)).toBeLessThan((NODES / 26) * 1.5 + 30);
    },
  );

  test.each(['node', 'service', 'agent'] as const)(
    'a list of %ss in a common state reads the ordinary list',
    async (kind) => {
      const calls = await count.during(async () => {
        const page = await lists[kind](
          table,
          { state: 'never_seen' },
          { size: 100, after: undefined },
          { scope: undefined, now: NOW },
        );
        expect(page.next === undefined || !isWalk(page.next)).toBe(true);
        expect(page.objects.length).toBeGreaterThanOrEqual(kind === 'node' ? 90 : 0);
      });
      expect(calls.reduce((sum, { units }) => sum + units, 0)).toBeLessThan(150);
    },
  );
});
