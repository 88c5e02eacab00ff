/** Lists by state and status: each is the whole list, filtered by what it shows. */
import fc from '../../../shared/testing/fast-check.ts';
import { inFull } from '../../../shared/testing/extent.ts';
import type { Position } from '../../../shared/db/page-token.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { neverStarted } from '../../domain/agent/never-started.ts';
import { type AgentStatus, shownStatuses } from '../../domain/agent/types.ts';
import { states } from '../../domain/fields/liveness.ts';
import { objectKinds, type ObjectKind } from '../../domain/fields/object-kind.ts';
import { idOf } from '../entities/entity.ts';
import { allHeartbeats, newHeartbeat, toHeartbeat } from './heartbeat.ts';
import { canContain, canContainUnplaced, heartbeatFilter, type HeartbeatFilterTexts } from './heartbeat-filter.ts';
import type { ReportEntry } from './stored-report.ts';
import { takeReport } from './report.ts';
import { statusTimesAfter } from './status-history.ts';
import type { Page } from '../table/page.ts';
import { listAgents } from '../lists/list-agents.ts';
import { listNodes } from '../lists/list-nodes.ts';
import { listServices } from '../lists/list-services.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const HOUR = 3_600_000;
const NOW = testTime();
const HOSTS = 12;

const { table } = useTable();
/** Criteria that do not concern heartbeats, for each kind. */
let others: Record<ObjectKind, Record<string, string>[]>;

beforeAll(async () => {
  const timers = { stale_after: '2h', offline_after: '4h' };
  const said: AgentStatus[] = ['running', 'waiting', 'starting', 'running', 'stopping', 'done'];
  const processes: string[] = [];
  const nodes: string[] = [];
  for (let index = 0; index < HOSTS; index += 1) {
    const place = node({ ...timers, custom_labels: { parity: String(index % 2) } });
    const [first, second] = [pmmAgent(place), pmmAgent(place)];
    const target = service([place], { cluster: `c${index % 2}` });
    const agents = Array.from({ length: 4 }, (_, number) =>
      exporter(first, [target], {
        custom_labels: { parity: String(number % 2) },
        ...(number === 3 ? { disabled: true, status: 'done' } : {}),
        ...(number === 1 ? { agent_type: 'qan_mysql_slowlog_agent' } : {}),
      }),
    );
    await addAll(table, place, first, second, target);
    for (const agent of agents) await addAll(table, agent);
    nodes.push(idOf(place));
    processes.push(idOf(first));
    const report = (process: string, entries: ReportEntry[], hours: number) =>
      takeReport(table, {
        pmmAgentId: process,
        contents: { agents: entries },
        scope: undefined,
        limit: undefined,
        now: new Date(NOW.getTime() - hours * HOUR),
      });
    // Every fourth host never reports, and one agent of each host is never reported on.
    if (index % 4 === 3) continue;
    const entries = agents.flatMap((agent, number) =>
      number === 2
        ? []
        : [
            {
              agent_id: idOf(agent),
              status: said[(index + number) % said.length]!,
              ...(number === 0 && index % 2 === 0 ? { version: `1.${index}` } : {}),
              // Of a host in two, the gateway reports it.
              ...(index % 2 === 0 ? { status_reason: neverStarted.qan_mysql_slowlog_agent } : {}),
            },
          ],
    );
    await report(idOf(first), entries, (index % 4) * 2.5);
    const ofItself = index === 0 ? [{ agent_id: idOf(second), status: 'running' as const, version: '3.5.0' }] : [];
    if (index % 3 === 0) await report(idOf(second), ofItself, 9);
  }
  await addAll(table, service(), external({}), external({}, { disabled: true, status: 'done' }));
  others = {
    node: [{}, { selector: 'parity=1' }, { selector: `node_id in (${nodes.slice(0, 3).join()})` }],
    service: [{}, { cluster: 'c1' }, { node_id: nodes[0]! }, { service_type: 'mysql' }],
    agent: [{}, { agent_type: 'pmm_agent' }, { pmm_agent_id: processes[1]! }, { selector: 'parity=1' }],
  };
});

const lists = { node: listNodes, service: listServices, agent: listAgents };

async function listed(kind: ObjectKind, filters: Record<string, string>, size: number): Promise<any[]> {
  const objects: any[] = [];
  let after: Position | undefined;
  do {
    const page: Page<string> = await lists[kind](table, filters, { size, after }, { scope: undefined, now: NOW });
    objects.push(...page.objects.map((json) => JSON.parse(json)));
    after = page.next;
  } while (after !== undefined);
  return objects;
}

const some = <Word extends string>(words: readonly Word[]) =>
  fc.option(fc.subarray([...words], { minLength: 1 }), { nil: undefined });

test('a list by states and statuses equals the filtered whole list', async () => {
  const inventory = await listed('agent', { include: 'state' }, 1000);
  expect(inventory.map(({ status }) => status)).toEqual(expect.arrayContaining([...shownStatuses]));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...objectKinds),
      some(states),
      some(shownStatuses),
      fc.nat(3),
      fc.constantFrom(1, 3, 100),
      fc.constantFrom(undefined, undefined, 1, 3, 5),
      async (kind, wanted, statuses, other, size, hours) => {
        const criteria = others[kind][other % others[kind].length]!;
        const [byStatus, forHours] = kind === 'agent' ? [statuses, hours] : [];
        const isOldEnough = ({ status_since: since }: any) =>
          forHours === undefined || NOW.getTime() - Date.parse(since) >= forHours * HOUR;
        const whole = await listed(kind, { ...criteria, include: 'state' }, 1000);
        const expected = whole.filter(
          (object) =>
            wanted?.includes(object.state) !== false &&
            byStatus?.includes(object.status) !== false &&
            isOldEnough(object),
        );
        const asked = {
          ...criteria,
          include: 'state',
          ...(wanted === undefined ? {} : { state: wanted.join() }),
          ...(byStatus === undefined ? {} : { status: byStatus.join(', ') }),
          ...(forHours === undefined ? {} : { status_for: `${forHours}h` }),
        };
        expect(await listed(kind, asked, size)).toEqual(expected);
      },
    ),
    { numRuns: inFull(150, 50) },
  );
});

test.each([
  ['1.0', {}],
  ['1.2', { state: 'offline,stale' }],
  ['3.5.0', {}],
  ['9', {}],
  ['', { selector: 'parity=1' }],
])('nodes by the agent version %j are those whose agents report it', async (version, more) => {
  const agents = await listed('agent', { include: 'state' }, 1000);
  const nodes = await listed('node', { include: 'state', ...more }, 1000);
  const versionsOn = (id: string) =>
    agents.flatMap(({ runs_on_node_id: node, version: reported }) => (node === id && reported ? [reported] : []));
  const expected = nodes.filter(({ node_id: id }) =>
    version === '' ? versionsOn(id).length === 0 : versionsOn(id).includes(version),
  );
  expect(expected.length > 0).toBe(version !== '9');
  const asked = { ...more, include: 'state', agent_version: version };
  for (const size of [1, 100]) expect(await listed('node', asked, size)).toEqual(expected);
});

test.each<HeartbeatFilterTexts & Record<string, string>>([
  { agent_version: '3.5.0' },
  { agent_version: '' },
  { state: 'live' },
  { agent_version: '3.5.0', state: 'offline' },
])('a list of nodes by %j looks only at the nodes that match', async (texts) => {
  const heartbeats = [...((await allHeartbeats(table, 1000)) ?? new Map()).values()];
  const wanted = heartbeatFilter(texts, NOW)!;
  const lookedAt = heartbeats.filter((heartbeat) => canContain(wanted, 'node', heartbeat)).map(({ nodeId }) => nodeId);
  const matching = await listed('node', texts, 1000);
  expect(lookedAt.sort()).toEqual(matching.map(({ node_id: id }) => id).sort());
  expect(heartbeats).toHaveLength(HOSTS);
});

test('agents that nobody reported on have no status for any time', async () => {
  const heartbeats = [...((await allHeartbeats(table, 1000)) ?? new Map()).values()];
  const silent = heartbeats.filter(({ processes }) => [...processes.values()].every((report) => report === undefined));
  const lookedAt = (texts: HeartbeatFilterTexts) => {
    const wanted = heartbeatFilter(texts, NOW)!;
    const nodes = silent.filter((heartbeat) => canContain(wanted, 'agent', heartbeat));
    return [nodes.length, canContainUnplaced(wanted)];
  };
  expect(lookedAt({ status: 'unknown' })).toEqual([silent.length, true]);
  expect(lookedAt({ status: 'unknown', status_for: '1h' })).toEqual([0, false]);
  expect(silent.length).toBeGreaterThan(0);
});

test('a node can contain agents with a status that its processes report now, in a state that one of them has', () => {
  const [before, agents] = [{ a: ['running', null, null] }, { a: ['waiting', null, null] }] as const;
  const at = NOW.getTime();
  const report = { at, agents, ...statusTimesAfter({ at: at - HOUR, agents: before }, agents, at) };
  const heartbeat = { ...toHeartbeat(newHeartbeat(node().object, NOW)), processes: new Map([['p', report]]) };
  const can = (texts: HeartbeatFilterTexts) => canContain(heartbeatFilter(texts, NOW)!, 'agent', heartbeat);
  expect([can({ status: 'waiting' }), can({ state: 'live' })]).toEqual([true, true]);
  expect([can({ status: 'running' }), can({ state: 'stale' }), can({ status: 'waiting', state: 'stale' })]).toEqual([
    ...[false, false, false],
  ]);
});
