import { isDeepStrictEqual } from 'node:util';
import type { AgentStatus } from '../../domain/agent/types.ts';
import { isRecord } from '../../../shared/db/item.ts';
import { hash } from 'node:crypto';

/** One entry of a report: what an agent process reports of one of its agents. */
export interface ReportEntry {
  agent_id: string;
  status: AgentStatus;
  listen_port?: number | undefined;
  version?: string | undefined;
  status_reason?: string | undefined;
}

export interface ReportContents {
  agents: readonly ReportEntry[];
  /** False: a relay lost the connection of the process. */
  connected?: boolean | undefined;
  /** Of a lost connection: the time since the last sign of life of the process, which is the time of the report. */
  silent_seconds?: number | undefined;
  /** The process began anew: any status can follow the last one. */
  reset?: boolean | undefined;
}

/** The contents of a report about one agent; null for values that it did not contain. */
export type AgentReport = readonly [status: AgentStatus, listenPort: number | null, version: string | null];

/** The part of an entry of a report that is stored in the list of its agents. */
export const saidBy = (entry: Omit<ReportEntry, 'agent_id'>): AgentReport => [
  entry.status,
  entry.listen_port ?? null,
  entry.version ?? null,
];

/** The last report of an agent process. */
export interface Report {
  /** Milliseconds since 1970. */
  at: number;
  agents: Readonly<Record<string, AgentReport>>;
  /**
   * Reasons of statuses by the id of the agent; absent: none. Beside `agents`, whose entries versions before this
   * attribute read as lists of exactly three values.
   */
  reasons?: Readonly<Record<string, string>>;
  /** The backend that relays the process lost its connection: the process is stale at once. */
  connected?: false;
  /** The version of the process itself. */
  version?: string;
  /** The states of the process until this report, as they are stored (report-history.ts). */
  history?: unknown;
  /** The statuses of its agents until this report, as they are stored (status-history.ts). */
  statuses?: unknown;
}

/** The contents of a report, without its time. */
export type Statement = Omit<Report, 'at' | 'history' | 'statuses'>;

export function saysTheSame(statement: Statement, last: Report | undefined): boolean {
  if (last === undefined) return false;
  const { at: _at, history: _history, statuses: _statuses, ...said } = last;
  return isDeepStrictEqual(statement, said);
}

/** The clocks of two functions differ less. */
const MAX_DIFFERENCE_MS = 1000;

/**
 * The time of a report that replaces the last one. It differs from the time of the last one, also within a millisecond:
 * the time is the condition of a write, and a concurrent report that has read the last one would replace this one.
 */
function timeAfter(last: Report | undefined, now: Date): number {
  const [at, lastAt = -Infinity] = [now.getTime(), last?.at];
  return lastAt >= at && lastAt - at < MAX_DIFFERENCE_MS ? lastAt + 1 : at;
}

/** The time of a report: of a lost connection the last sign of life as its backend states it, but not before the stored report. */
export function reportTime(
  last: Report | undefined,
  { connected, silent_seconds: silent = 0 }: { connected?: boolean | undefined; silent_seconds?: number | undefined },
  now: Date,
): number {
  if (connected !== false) return timeAfter(last, now);
  const sign = Math.max(now.getTime() - 1000 * silent, Math.min(now.getTime(), last?.at ?? 0));
  return timeAfter(last, new Date(sign));
}

/** Any word: see `openEnum`. */
export const isStatus = (value: unknown): value is AgentStatus => typeof value === 'string';

/** Without a schema, which would take longer than the rest of a report: it has an entry for each agent. */
function toSaid(value: unknown): AgentReport {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const [status, port, version] = entries;
  const isPort = port === null || Number.isInteger(port);
  if (!isStatus(status) || !isPort || (version !== null && typeof version !== 'string'))
    throw new TypeError('not what a process reports of an agent');
  return [status, port === null ? null : Number(port), version];
}

/** Absent without reasons, so that equal reports are equal values. */
export function reasonsOf(entries: Iterable<readonly [id: string, reason: string]>): Pick<Report, 'reasons'> {
  const reasons = Object.fromEntries(entries);
  return Object.keys(reasons).length === 0 ? {} : { reasons };
}

const isReason = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';

/** @throws TypeError for another value. */
export function toReport(value: unknown): Report | undefined {
  if (!isRecord(value)) throw new TypeError('not a report');
  const { at, agents: entries = {}, reasons = {}, connected, version, history, statuses } = value;
  if (at === undefined) return undefined;
  if (typeof at !== 'number' || !isRecord(entries) || !isRecord(reasons)) throw new TypeError('not a report');
  const agents: Record<string, AgentReport> = {};
  for (const id of Object.keys(entries)) agents[id] = toSaid(entries[id]);
  const lost: Pick<Report, 'connected'> = connected === false ? { connected } : {};
  const ofProcess: Pick<Report, 'version'> = typeof version === 'string' ? { version } : {};
  const past: Pick<Report, 'history' | 'statuses'> = {
    ...(history === undefined ? {} : { history }),
    ...(statuses === undefined ? {} : { statuses }),
  };
  return { at, agents, ...reasonsOf(Object.entries(reasons).filter(isReason)), ...lost, ...ofProcess, ...past };
}

/** Two reports with the same digest say the same about the agents of a process. */
export function digestOf({ agents, reset = false }: ReportContents): string {
  const entries = agents
    .map(
      ({ agent_id: id, status, listen_port: port = null, version = null, status_reason: reason = null }) =>
        [id, status, port, version, reason] as const,
    )
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return entries.length === 0 ? '' : hash('sha256', JSON.stringify([reset, entries]), 'base64url').slice(0, 16);
}
