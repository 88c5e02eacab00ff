import { neverStarted } from '../../domain/agent/never-started.ts';
import { agentTypeEntry, agentTypes } from '../../domain/agent/types.ts';
import type { Visible } from '../entities/key-scope.ts';
import { entity, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import type { Entity } from '../entities/entity.ts';
import { processAttribute } from '../table/keys.ts';
import {
  followFromHeartbeats,
  stateOf,
  stateOfNode,
  statesOn,
  statusOf,
  toReplyWith,
  versionOf,
  withReport,
} from './shown-state.ts';
import { type Heartbeat, newHeartbeat, toHeartbeat } from './heartbeat.ts';
import type { Report } from './stored-report.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const ago = (seconds: number) => NOW.getTime() - seconds * 1000;
const MINUTES = 60;

const place = node({ node_name: 'n', stale_after: '5m', offline_after: '15m' });
const process = pmmAgent(place);
const otherProcess = pmmAgent(place);
const target = service([place]);
const agent = exporter(process, [target], { listen_port: 1 });

const ID = agent.object.agent_id;

function heartbeatOf(
  of: typeof place,
  reports: readonly (readonly [typeof process, Report | undefined])[],
): [string, Heartbeat] {
  const attributes = reports.map(
    ([process, report]) => [processAttribute(process.object.agent_id), report ?? {}] as const,
  );
  const heartbeat = toHeartbeat({ ...newHeartbeat(of.object, NOW), ...Object.fromEntries(attributes) });
  return [of.object.node_id, heartbeat];
}

const reported = (seconds: number, agents: Report['agents'] = {}): Report => ({ at: ago(seconds), agents });
const heartbeats = (...reports: Parameters<typeof heartbeatOf>[1]) => new Map([heartbeatOf(place, reports)]);
const state = (entity: Entity, ...reports: Parameters<typeof heartbeatOf>[1]) =>
  stateOf(entity, heartbeats(...reports), NOW);

test('a node is live before stale_after, stale before offline_after, then offline', () => {
  const states = [5 * MINUTES - 0.001, 5 * MINUTES, 15 * MINUTES - 0.001, 15 * MINUTES].map((seconds) =>
    state(place, [process, reported(seconds)]),
  );
  expect(states).toEqual(['live', 'stale', 'stale', 'offline']);
  expect(state(place)).toBe('never_seen');
  expect(state(place, [process, undefined])).toBe('never_seen');
});

test('a node and its services have the best state of its processes, an agent that of its own process', () => {
  const both = [
    [process, reported(20 * MINUTES)],
    [otherProcess, reported(1)],
  ] as const;
  expect([place, target].map((entity) => state(entity, ...both))).toEqual(['live', 'live']);
  expect([process, otherProcess, agent].map((entity) => state(entity, ...both))).toEqual([
    'offline',
    'live',
    'offline',
  ]);
  const [, heartbeat] = heartbeatOf(place, both);
  expect(stateOfNode(heartbeat, NOW)).toBe('live');
  expect(statesOn(heartbeat, NOW)).toEqual(new Set(['live', 'offline']));
});

test('a service has the best state of its nodes, and was never seen without nodes', () => {
  const other = node({ stale_after: '5m' });
  const both = service([place, other]);
  const heartbeatsById = new Map([
    heartbeatOf(place, [[process, reported(20 * MINUTES)]]),
    heartbeatOf(other, [[otherProcess, reported(6 * MINUTES)]]),
  ]);
  expect(stateOf(both, heartbeatsById, NOW)).toBe('stale');
  expect(toReplyWith(both, heartbeatsById, NOW)).toMatchObject({
    reported_at: new Date(ago(6 * MINUTES)).toISOString(),
  });
  expect(stateOf(service(), heartbeatsById, NOW)).toBe('never_seen');
  expect(stateOf(external({ nodes: [place] }), heartbeatsById, NOW)).toBe('never_seen');
});

test('the reply contains the state and the time of the last report', () => {
  const heartbeatsById = heartbeats([process, reported(1)], [otherProcess, reported(9 * MINUTES)]);
  expect(toReplyWith(place, heartbeatsById, NOW)).toEqual({
    ...place.object,
    state: 'live',
    reported_at: new Date(ago(1)).toISOString(),
  });
  expect(toReplyWith(otherProcess, heartbeatsById, NOW)).toMatchObject({
    state: 'stale',
    connected: false,
    reported_at: new Date(ago(9 * MINUTES)).toISOString(),
  });
  expect(toReplyWith(process, heartbeatsById, NOW)).toMatchObject({ connected: true });
  expect(toReplyWith(place, heartbeats(), NOW)).toEqual({ ...place.object, state: 'never_seen' });
});

describe('an agent', () => {
  const said = (seconds: number, values: Report['agents'][string], of: Visible = agent) =>
    withReport(of, heartbeats([process, reported(seconds, { [ID]: values })]), NOW);

  test('has the status, port and version that its process reported', () => {
    expect(said(1, ['running', 42, '1.2'])).toMatchObject({ status: 'running', listen_port: 42, version: '1.2' });
    const without = said(1, ['waiting', null, null]);
    expect(without).toMatchObject({ status: 'waiting', listen_port: 1 });
    expect(without).not.toHaveProperty('version');
  });

  test('has an unknown status while its process is offline, but not while it is stale', () => {
    expect(said(15 * MINUTES - 1, ['running', null, null])).toMatchObject({ status: 'running' });
    expect(said(15 * MINUTES, ['running', 42, null])).toMatchObject({ status: 'unknown', listen_port: 42 });
  });

  test('has its reported status since it was reported first, and an unknown one since its process is offline', () => {
    const since = (seconds: number, more: object = {}) => {
      const report = { ...reported(seconds, { [ID]: ['waiting', null, null] }), statuses: [ago(2 * 86_400)] };
      const of = entity('agent', { ...agent.object, ...more });
      return withReport(of, heartbeats([process, report]), NOW)['status_since'];
    };
    expect(since(1)).toBe(new Date(ago(2 * 86_400)).toISOString());
    expect(since(20 * MINUTES)).toBe(new Date(ago(5 * MINUTES)).toISOString());
    // Nobody reported that it is done.
    expect(since(1, { disabled: true })).toBeUndefined();
  });

  test('of a process shows the version that the process reported of itself', () => {
    const heartbeatsById = heartbeats([process, { ...reported(1), version: '3.5.0' }]);
    expect(withReport(process, heartbeatsById, NOW)).toMatchObject({ connected: true, version: '3.5.0' });
    expect(versionOf(process, heartbeatsById, NOW)).toBe('3.5.0');
    expect(withReport(agent, heartbeatsById, NOW)).not.toHaveProperty('version');
  });

  test('is done when it is disabled, whatever was reported', () => {
    const disabled = entity('agent', { ...agent.object, disabled: true });
    for (const seconds of [1, 20 * MINUTES])
      expect(said(seconds, ['running', null, null], disabled)).toMatchObject({ status: 'done' });
  });

  test.each(agentTypes)(
    "%s that waits for its type's reason is not supported; with another reason it waits",
    (type) => {
      const typed = entity('agent', { ...agent.object, agent_type: type });
      const waiting = (reason: string, seconds = 1, more: object = {}) => {
        const report = { ...reported(seconds, { [ID]: ['waiting', null, null] }), reasons: { [ID]: reason } };
        const of = entity('agent', { ...typed.object, ...more });
        return withReport(of, heartbeats([process, report]), NOW);
      };
      const reasonOfType = neverStarted[type];
      if (reasonOfType !== undefined) {
        expect(waiting(reasonOfType)).toMatchObject({ status: 'not_supported', status_reason: reasonOfType });
        expect(waiting(reasonOfType, 1, { disabled: true })).toMatchObject({ status: 'done' });
        const offline = waiting(reasonOfType, 20 * MINUTES);
        expect(offline).toMatchObject({ status: 'unknown' });
        expect(offline).not.toHaveProperty('status_reason');
      }
      // The types of which no agent process reports have no such status.
      if (agentTypeEntry(type).place !== 'pmm_agent') return;
      const others = [...Object.values(neverStarted), 'Needs a file.'].filter((reason) => reason !== reasonOfType);
      for (const reason of others) expect(waiting(reason)).toMatchObject({ status: 'waiting', status_reason: reason });
    },
  );

  test('keeps its declared fields without a report', () => {
    expect(withReport(agent, heartbeats([process, reported(1)]), NOW)).toEqual(agent.object);
    expect(withReport(agent, new Map(), NOW)).toEqual(agent.object);
  });
});

test('a projection to other fields needs no heartbeats', () => {
  for (const name of ['state', 'reported_at', 'connected', 'status', 'status_since', 'listen_port', 'version'])
    expect([name, followFromHeartbeats('agent', ['agent_id', name])]).toEqual([name, true]);
  expect(followFromHeartbeats('node', ['node_name', 'address'])).toBe(false);
  // The version of a service is declared.
  expect(followFromHeartbeats('service', ['version'])).toBe(false);
});

test('an object without reports has its declared status and version', () => {
  const none = new Map<string, Heartbeat>();
  const pushing = external({ nodes: [place] }, { status: 'running', version: '1' });
  expect([statusOf(pushing, none, NOW), versionOf(pushing, none, NOW)]).toEqual(['running', '1']);
  const db = service([place], { version: '8.0' });
  expect([statusOf(db, none, NOW), versionOf(db, none, NOW)]).toEqual([undefined, '8.0']);
  expect([statusOf(place, none, NOW), versionOf(place, none, NOW), statusOf(process, none, NOW)]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});
