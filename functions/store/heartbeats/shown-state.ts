import type { Item } from '../../../shared/db/table.ts';
import { shownStatus } from '../../domain/agent/never-started.ts';
import { isReporter, type ShownStatus } from '../../domain/agent/types.ts';
import { bestOf, type State, stateAfter } from '../../domain/fields/liveness.ts';
import type { ObjectKind } from '../table/keys.ts';
import type { Entity } from '../entities/entity.ts';
import type { Visible } from '../entities/key-scope.ts';
import { offlineAtOf } from './report-history.ts';
import { statusSince } from './status-history.ts';
import type { Report } from './stored-report.ts';
import { type Heartbeat, type Heartbeats, nodesOf } from './heartbeat.ts';

/** The state of an agent process by its last report. A process that lost its connection is stale at once. */
export function stateBy({ life }: Heartbeat, report: Report | undefined, now: Date): State {
  const state = stateAfter(report === undefined ? undefined : now.getTime() - report.at, life);
  return state === 'live' && report?.connected === false ? 'stale' : state;
}

export function stateOfNode(heartbeat: Heartbeat, now: Date): State {
  return bestOf([...heartbeat.processes.values()].map((report) => stateBy(heartbeat, report, now)));
}

/** The states of the node and of its agent processes: an object on the node can be in one of these. */
export function statesOn(heartbeat: Heartbeat, now: Date): Set<State> {
  const processes = [...heartbeat.processes.values()].map((report) => stateBy(heartbeat, report, now));
  return new Set([bestOf(processes), ...processes]);
}

/** The ports in the last reports of agent processes, by the id of the agent. */
export function reportedPorts(heartbeats: Iterable<Heartbeat>): Map<string, number> {
  const ports = new Map<string, number>();
  for (const { processes } of heartbeats)
    for (const report of processes.values())
      for (const [id, [, port]] of Object.entries(report?.agents ?? {})) if (port !== null) ports.set(id, port);
  return ports;
}

/** The agent process that reports for an agent: its pmm_agent, or the agent itself if it is a process. */
export function processOf({ kind, object }: Entity): string | undefined {
  if (kind !== 'agent') return undefined;
  return isReporter(object.agent_type) ? object.agent_id : object.pmm_agent_id;
}

export function stateOf(entity: Entity, heartbeats: Heartbeats, now: Date): State {
  const processId = processOf(entity);
  return bestOf(
    nodesOf(entity).flatMap((id) => {
      const heartbeat = heartbeats.get(id);
      if (heartbeat === undefined) return [];
      return processId === undefined
        ? [stateOfNode(heartbeat, now)]
        : [stateBy(heartbeat, heartbeat.processes.get(processId), now)];
    }),
  );
}

const latestOf = (times: readonly number[]): Item =>
  times.length === 0 ? {} : { reported_at: new Date(Math.max(...times)).toISOString() };

/** The time of the last report for the object, from which its state follows. */
function reportedAt(entity: Entity, heartbeats: Heartbeats): Item {
  const processId = processOf(entity);
  const times = nodesOf(entity).flatMap((id) => {
    const { processes } = heartbeats.get(id) ?? {};
    const reports = processId === undefined ? [...(processes?.values() ?? [])] : [processes?.get(processId)];
    return reports.flatMap((report) => (report === undefined ? [] : [report.at]));
  });
  return latestOf(times);
}

/** The times of the last reports of the agent processes, in milliseconds since 1970. */
export const reportTimes = ({ processes }: Heartbeat): number[] =>
  [...processes.values()].flatMap((report) => (report === undefined ? [] : [report.at]));

/** The fields of a node that follow from its heartbeat. */
export function nodeStateFields(heartbeat: Heartbeat | undefined, now: Date): Item {
  if (heartbeat === undefined) return { state: bestOf([]) };
  const times = reportTimes(heartbeat);
  return { state: stateOfNode(heartbeat, now), ...latestOf(times) };
}

interface ReportedFields {
  connected?: boolean;
  status?: ShownStatus;
  status_since?: string;
  status_reason?: string;
  listen_port?: number;
  version?: string;
}

/**
 * The fields of an agent from the report of its process; they replace those from its declaration. While the process is
 * offline, the status is `unknown`. A disabled agent is `done`, whatever was reported before. The reason is that of the
 * shown status, and so is the time: an agent is `unknown` since its process is offline.
 */
function saidOf(entity: Entity, heartbeats: Heartbeats, state: State): ReportedFields {
  if (entity.kind !== 'agent') return {};
  const { object } = entity;
  const ofProcess = isReporter(object.agent_type) ? { connected: state === 'live' } : {};
  const { runs_on_node_id: nodeId } = object;
  const processId = processOf(entity);
  if (processId === undefined || nodeId === undefined) return ofProcess;
  const heartbeat = heartbeats.get(nodeId);
  const report = heartbeat?.processes.get(processId);
  const said = report?.agents[object.agent_id];
  if (heartbeat === undefined || report === undefined) return ofProcess;
  if (said === undefined) {
    const { version } = report;
    return object.agent_type === 'pmm_agent' && version !== undefined ? { ...ofProcess, version } : ofProcess;
  }
  const [reported, port, version] = said;
  const reason = report.reasons?.[object.agent_id];
  const instead = object.disabled ? 'done' : state === 'offline' ? 'unknown' : undefined;
  const status = instead ?? shownStatus(object.agent_type, reported, reason);
  const since =
    (instead ?? reported) === reported
      ? statusSince(report, object.agent_id)
      : instead === 'unknown'
        ? offlineAtOf(report, heartbeat.life)
        : undefined;
  return {
    ...ofProcess,
    status,
    ...(since === undefined ? {} : { status_since: new Date(since).toISOString() }),
    ...(reason === undefined || (instead ?? reported) !== reported ? {} : { status_reason: reason }),
    ...(port === null ? {} : { listen_port: port }),
    ...(version === null ? {} : { version }),
  };
}

/** The status that replies show; undefined for an object without one: a node, a service, an agent process. */
export function statusOf(entity: Entity, heartbeats: Heartbeats, now: Date): ShownStatus | undefined {
  if (entity.kind !== 'agent' || entity.object.agent_type === 'pmm_agent') return undefined;
  const { status } = saidOf(entity, heartbeats, stateOf(entity, heartbeats, now));
  return status ?? entity.object.status;
}

/** Since when the shown status holds, in milliseconds since 1970; undefined if no report says. */
export function statusSinceOf(entity: Entity, heartbeats: Heartbeats, now: Date): number | undefined {
  const { status_since: since } = saidOf(entity, heartbeats, stateOf(entity, heartbeats, now));
  return since === undefined ? undefined : Date.parse(since);
}

/** The versions of the agents of a node, its agent processes included, as they were last reported. */
export function agentVersionsOn({ processes }: Pick<Heartbeat, 'processes'>): Set<string> {
  const versions = [...processes.values()].flatMap((report) => [
    report?.version,
    ...Object.values(report?.agents ?? {}).map(([, , version]) => version),
  ]);
  return new Set(versions.filter((version) => typeof version === 'string'));
}

/** The version that replies show: of an agent the reported one. Undefined for a node, which has none. */
export function versionOf(entity: Entity, heartbeats: Heartbeats, now: Date): string | undefined {
  if (entity.kind === 'node') return undefined;
  const said =
    entity.kind === 'agent' ? saidOf(entity, heartbeats, stateOf(entity, heartbeats, now)).version : undefined;
  return said ?? entity.object.version;
}

/** The fields of an agent that its process reports. Other objects have declared fields of the same name. */
const REPORTED_FIELDS: readonly string[] = [
  'connected',
  'status',
  'status_since',
  'status_reason',
  'listen_port',
  'version',
] satisfies (keyof ReportedFields)[];

/** Whether one of these fields of an object of this kind follows from heartbeats. */
export function followFromHeartbeats(kind: ObjectKind, names: readonly string[]): boolean {
  return names.some(
    (name) => name === 'state' || name === 'reported_at' || (kind === 'agent' && REPORTED_FIELDS.includes(name)),
  );
}

/** The object for lists that read no heartbeats: without the fields that a report may have replaced. */
export function withoutReport(stored: Visible): Item {
  const object: Item = { ...stored.object };
  if (processOf(stored) === undefined) return object;
  for (const name of REPORTED_FIELDS) Reflect.deleteProperty(object, name);
  return object;
}

/** The object for replies to writes: an agent with the fields that its process reported, without a state. */
export function withReport(entity: Visible, heartbeats: Heartbeats, now: Date): Item {
  return { ...entity.object, ...saidOf(entity, heartbeats, stateOf(entity, heartbeats, now)) };
}

/** The object for replies to reads: with its state, and an agent with the fields that its process reported. */
export function toReplyWith(entity: Visible, heartbeats: Heartbeats, now: Date): Item {
  const state = stateOf(entity, heartbeats, now);
  return { ...entity.object, ...saidOf(entity, heartbeats, state), state, ...reportedAt(entity, heartbeats) };
}
