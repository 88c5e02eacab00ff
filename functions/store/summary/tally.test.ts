import {
  MAX_COUNTED_CLUSTERS,
  MAX_COUNTED_VALUES,
  MAX_COUNTED_ZONES,
  MAX_EXAMPLES,
  MAX_PLACES,
} from '../../domain/records/summary.ts';
import { CONNECTED_TWICE } from '../../domain/agent/connected-twice.ts';
import { neverStarted } from '../../domain/agent/never-started.ts';
import { external, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { type Heartbeats, newHeartbeat, toHeartbeat } from '../heartbeats/heartbeat.ts';
import type { AgentReport } from '../heartbeats/stored-report.ts';
import { processAttribute } from '../table/keys.ts';
import { MAX_TRACKED_VALUES } from './rows.ts';
import { Counter, resultOf, type Tally } from './tally.ts';
import type { Finding } from './tally-parts.ts';

const now = new Date('2026-05-01T10:00:00Z');
const MINUTE = 60_000;

function counted(entities: Iterable<Entity>, heartbeats: Heartbeats = new Map(), tally?: Tally): Tally {
  const counter = new Counter(tally);
  for (const entity of entities) counter.add(entity, heartbeats, now);
  return counter.result();
}

/** The tally as it is stored between two parts of a count. */
const stored = (tally: Tally) => JSON.parse(JSON.stringify(tally)) as Tally;

/** Heartbeats with each node's last process report: minutes ago, and its agents' entries. */
const reports = (
  ...of: [
    place: EntityOf<'node'>,
    process: EntityOf<'agent'>,
    minutes: number,
    agents?: Record<string, AgentReport>,
    reasons?: Record<string, string>,
  ][]
): Heartbeats =>
  new Map(
    of.map(([place, process, minutes, agents = {}, reasons = {}]) => [
      idOf(place),
      toHeartbeat({
        ...newHeartbeat(place.object, now),
        [processAttribute(idOf(process))]: { at: now.getTime() - minutes * MINUTE, agents, reasons },
      }),
    ]),
  );

const inRegion = (region: string, more: object = {}) => node({ region, ...more });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('regions, environments and statuses', () => {
  const regions = times(MAX_COUNTED_VALUES, (index) => `r${index}`);
  const countsIn = (tally: Tally) => {
    const { rows } = resultOf(tally);
    return (value: string) => rows.find(([, , , place]) => place === value)?.[4];
  };

  test('counts the values with the most objects by their name, and all others together', () => {
    const nodes = [...regions, 'late', ...regions, 'later', 'latest'].map((region) => inRegion(region));
    const count = countsIn(counted(nodes));
    expect(regions.map(count)).toEqual(times(MAX_COUNTED_VALUES, () => 2));
    expect([count('other'), count('late'), count('later')]).toEqual([3, undefined, undefined]);
  });

  test('values of one object do not displace values of several objects, whichever come first', () => {
    const single = (from: number) => times(3 * MAX_TRACKED_VALUES, (index) => inRegion(`s${from}-${index}`));
    const first = stored(counted([...single(0), ...regions.flatMap((region) => [inRegion(region), inRegion(region)])]));
    const tally = counted([...single(1), ...regions.map((region) => inRegion(region))], new Map(), first);
    expect(regions.map(countsIn(tally))).toEqual(times(MAX_COUNTED_VALUES, () => 3));
    expect(countsIn(tally)('other')).toBe(6 * MAX_TRACKED_VALUES);
    expect(tally.rows.length).toBeLessThanOrEqual(MAX_TRACKED_VALUES + 1);
  });

  test('counts a silenced object whose value has no name among the silenced others', () => {
    const counter = new Counter();
    for (const region of [...regions, ...regions]) counter.add(inRegion(region), new Map(), now);
    counter.add(inRegion('late'), new Map(), now, true);
    expect(resultOf(counter.result()).silenced).toEqual([['node', 'generic', 'never_seen', 'other', 1]]);
  });

  test('a continued count keeps the values of its first part', () => {
    const first = stored(counted(regions.map((region) => inRegion(region))));
    const { rows } = resultOf(counted([inRegion('r7'), inRegion('late')], new Map(), first));
    expect(rows).toHaveLength(MAX_COUNTED_VALUES + 1);
    expect(rows).toContainEqual(['node', 'generic', 'never_seen', 'r7', 2]);
    expect(rows).toContainEqual(['node', 'generic', 'never_seen', 'other', 1]);
  });

  test('counts an absent value beside the maximum number of values', () => {
    const { rows } = counted([...regions.map((region) => inRegion(region)), node(), node()]);
    expect(rows).toContainEqual(['node', 'generic', 'never_seen', '', 2]);
  });

  test('each kind has its own values, and counts by type, state and value', () => {
    const place = node();
    const process = pmmAgent(place);
    const target = service([place], { environment: 'prod' });
    const entities = [
      ...regions.map((region) => inRegion(region)),
      place,
      process,
      target,
      exporter(process, [target]),
    ];
    const { rows } = counted(entities, reports([place, process, 1]));
    expect(rows.filter(([kind]) => kind !== 'node')).toEqual([
      ['agent', 'pmm_agent', 'live', '', 1],
      ['service', 'mysql', 'live', 'prod', 1],
      ['agent', 'mysqld_exporter', 'live', 'unknown', 1],
    ]);
  });
});

describe('zones', () => {
  test('counts nodes with a region by zone and state', () => {
    const [place, silent] = [inRegion('eu', { az: 'a' }), inRegion('eu', { az: 'a' })];
    const process = pmmAgent(place);
    const { zones } = counted([place, silent, inRegion('eu'), node()], reports([place, process, 1]));
    expect(zones).toEqual([
      ['eu', 'a', { live: 1, never_seen: 1 }],
      ['eu', '', { never_seen: 1 }],
    ]);
  });

  test('counts zones beyond the limit in the region other, and earlier zones by their name', () => {
    const zones = times(MAX_COUNTED_ZONES, (index) => inRegion('eu', { az: `z${index}` }));
    const more = ['late', 'z3', 'later'].map((az) => inRegion('eu', { az }));
    const result = counted(more, new Map(), stored(counted(zones)));
    expect(result.zones).toHaveLength(MAX_COUNTED_ZONES + 1);
    expect(result.zones[3]).toEqual(['eu', 'z3', { never_seen: 2 }]);
    expect(result.zones.at(-1)).toEqual(['other', '', { never_seen: 2 }]);
  });
});

test('a node that was not seen for an hour since it was added is a finding, and a newer or silenced one is none', () => {
  const added = (minutes: number) => node({ created_at: new Date(now.getTime() - minutes * MINUTE).toISOString() });
  const [old, newer, silenced] = [added(60), added(59), added(90)];
  const counter = new Counter();
  for (const place of [old, newer, silenced]) counter.add(place, new Map(), now, place === silenced);
  expect(counter.result().findings).toMatchObject([{ reason: 'never_seen', count: 1, examples: [{ id: idOf(old) }] }]);
});

describe('clusters', () => {
  test('a cluster has the worst state of its services, and each of their types once', () => {
    const places = [node(), node(), node(), node()] as const;
    const processes = places.map((place) => pmmAgent(place));
    const heartbeats = reports(
      ...([1, 15, 120] as const).map((minutes, index): [EntityOf<'node'>, EntityOf<'agent'>, number] => [
        places[index]!,
        processes[index]!,
        minutes,
      ]),
    );
    const [live, stale, offline, unseen] = places;
    const stateOfCluster = (...nodes: readonly EntityOf<'node'>[]) => {
      const services = nodes.map((place) => service([place], { cluster: 'c' }));
      return Object.keys(resultOf(counted(services, heartbeats)).clusters.by_state);
    };
    expect(stateOfCluster(live)).toEqual(['live']);
    expect(stateOfCluster(live, unseen)).toEqual(['never_seen']);
    expect(stateOfCluster(stale, unseen)).toEqual(['stale']);
    expect(stateOfCluster(offline, stale, live)).toEqual(['offline']);
    const types = [service([], { cluster: 'c' }), service([], { cluster: 'c' })];
    const postgresql = service([], { cluster: 'c', service_type: 'postgresql' });
    expect(resultOf(counted([...types, postgresql, service([], { cluster: 'd' }), service()])).clusters).toEqual({
      total: 2,
      by_state: { never_seen: 2 },
      by_type: { mysql: 2, postgresql: 1 },
      without_live_member: 2,
    });
  });

  test('a cluster without a live service is a finding if a service that is not silenced is silent, in any order and in parts', () => {
    const [live, silent, unseen] = [node(), node(), node()];
    const heartbeats = reports([live, pmmAgent(live), 1], [silent, pmmAgent(silent), 120]);
    const of = (cluster: string, place: EntityOf<'node'>) => service([place], { cluster });
    const quiet = of('quiet', silent);
    const services = [
      ...[of('mixed', silent), of('mixed', live), of('mixed', silent), of('alive', live)],
      ...[of('dead', silent), of('dead', unseen), of('new', unseen), quiet],
    ];
    for (const order of [services, services.toReversed()]) {
      let tally: Tally | undefined;
      for (const member of order) {
        const counter = new Counter(tally && stored(tally));
        counter.add(member, heartbeats, now, member === quiet);
        tally = counter.result();
      }
      const { clusters, findings } = resultOf(tally!);
      expect(clusters).toMatchObject({ total: 5, without_live_member: 3 });
      expect(findings.filter(({ kind }) => kind === 'cluster')).toMatchObject([
        { reason: 'no_live_member', count: 1, examples: [{ id: 'dead', name: 'dead' }] },
      ]);
    }
  });

  test('does not count clusters beyond the limit, and reports this, also in later parts', () => {
    const most = times(MAX_COUNTED_CLUSTERS, (index) => service([], { cluster: `c${index}` }));
    const whole = stored(counted(most));
    expect([Object.keys(whole.clusters).length, whole.isCut]).toEqual([MAX_COUNTED_CLUSTERS, false]);
    expect(counted([service([], { cluster: 'c1' })], new Map(), whole).isCut).toBe(false);
    const cut = counted([service([], { cluster: 'late' })], new Map(), whole);
    expect([Object.keys(cut.clusters).length, cut.isCut]).toEqual([MAX_COUNTED_CLUSTERS, true]);
    expect(counted([node()], new Map(), stored(cut)).isCut).toBe(true);
  });
});

describe('findings', () => {
  test('finds silent nodes and services, with the first examples', () => {
    const place = node();
    const process = pmmAgent(place);
    const services = times(MAX_EXAMPLES + 2, () => service([place]));
    const { findings } = counted(
      [place, process, ...services, node({ created_at: now.toISOString() })],
      reports([place, process, 15]),
    );
    expect(findings).toMatchObject([
      { reason: 'stale', kind: 'node', count: 1, examples: [{ id: idOf(place), name: place.object.node_name }] },
      {
        ...{ reason: 'stale', kind: 'service', count: MAX_EXAMPLES + 2 },
        examples: services
          .slice(0, MAX_EXAMPLES)
          .map((target) => ({ id: idOf(target), name: target.object.service_name })),
      },
    ]);
    expect(counted([place], reports([place, process, 120])).findings).toMatchObject([{ reason: 'offline' }]);
  });

  test('locates objects up to a byte limit, and returns the largest places', () => {
    const [place, counter] = [node(), new Counter()];
    const heartbeats = reports([place, pmmAgent(place), 15]);
    const clusters = [...times(100, (index) => `c${index}-${'x'.repeat(900)}`), ...times(3, () => 'y'), 'y', 'z'];
    for (const cluster of clusters.toReversed()) {
      const member = service([place], { cluster });
      expect(counter.add(member, heartbeats, now)).toBe('stale');
      counter.locate('stale', member, [['cluster', cluster]]);
    }
    const tally = counter.result();
    const [{ count, located, places }] = tally.findings as [Finding];
    expect([count, located]).toEqual([clusters.length, 5 + places.length - 2]);
    expect(JSON.stringify(places).length).toBeLessThan(10_000);
    const [finding] = resultOf(tally).findings.filter(({ kind }) => kind === 'service');
    expect(finding?.places.slice(0, 2)).toEqual([
      ['cluster', 'y', 4],
      ['cluster', expect.any(String), 1],
    ]);
    expect(finding?.places).toHaveLength(MAX_PLACES);
  });

  test('finds an enabled agent of a live process that does not run', () => {
    const place = node();
    const process = pmmAgent(place);
    const agents = (['running', 'waiting', 'starting', 'stopping', 'done'] as const).map(
      (status) => [exporter(process, []), status] as const,
    );
    const said = Object.fromEntries(
      agents.map(([agent, status]): [string, AgentReport] => [idOf(agent), [status, null, null]]),
    );
    const entities = agents.map(([agent]) => agent);
    const reasons = (minutes: number, more: readonly Entity[] = entities) =>
      counted(more, reports([place, process, minutes, said])).findings.map(({ reason, count }) => [reason, count]);
    expect(reasons(1)).toEqual([
      ['waiting', 1],
      ['not_running', 3],
    ]);
    // Stale processes still count; the node of an offline one is a finding itself.
    expect(reasons(15)).toHaveLength(2);
    expect(reasons(120)).toEqual([]);
    // What the gateway never starts needs no attention: nobody can change it.
    const analytics = exporter(process, [], { agent_type: 'qan_mysql_slowlog_agent' });
    const waiting = (reason: string) =>
      counted(
        [analytics],
        reports([place, process, 1, { [idOf(analytics)]: ['waiting', null, null] }, { [idOf(analytics)]: reason }]),
      );
    expect(waiting('It gives insight into no service.').findings).toMatchObject([{ reason: 'waiting', count: 1 }]);
    expect(waiting(neverStarted.qan_mysql_slowlog_agent ?? '')).toMatchObject({
      findings: [],
      rows: [['agent', 'qan_mysql_slowlog_agent', 'live', 'not_supported', 1]],
    });
    expect(reasons(1, [exporter(process, [], { disabled: true, status: 'done' }), external({})])).toEqual([]);
  });

  test('finds an agent process whose id a second host uses while it reports', () => {
    const [place, other] = [node(), node()];
    const [process, quiet] = [pmmAgent(place), pmmAgent(other)];
    const findingsAt = (minutes: number, reason: string) =>
      counted(
        [process, quiet],
        reports([place, process, minutes, {}, { [idOf(process)]: reason }], [other, quiet, minutes]),
      ).findings.map((finding) => [finding.reason, finding.kind, finding.examples.map(({ id }) => id)]);
    expect(findingsAt(1, CONNECTED_TWICE)).toEqual([['connected_twice', 'agent', [idOf(process)]]]);
    expect([findingsAt(1, 'Another reason.'), findingsAt(120, CONNECTED_TWICE)]).toEqual([[], []]);
  });

  test('a continued count adds to the findings of its first part', () => {
    const place = node();
    const process = pmmAgent(place);
    const heartbeats = reports([place, process, 15]);
    const parts = counted([place], heartbeats, stored(counted([place], heartbeats)));
    expect(parts.findings).toMatchObject([{ reason: 'stale', count: 2, examples: { length: 2 } }]);
  });
});
