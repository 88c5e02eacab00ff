import type { StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { severity, type State } from '../../functions/domain/fields/liveness.ts';
import { numberText } from '../ui/words.ts';

type Look = StatusIndicatorProps.Type;

interface StateWords {
  look: Look;
  word: string;
}

export const stateWords: Readonly<Record<State, StateWords>> = {
  live: { look: 'success', word: 'Live' },
  stale: { look: 'warning', word: 'Stale' },
  offline: { look: 'error', word: 'Offline' },
  never_seen: { look: 'pending', word: 'Never seen' },
};

/** From the worst to the best. */
export const worstFirst: readonly State[] = severity.toReversed();

export type StateCounts = Readonly<Partial<Record<State, number>>>;

/** The number of objects in all states. */
export const totalOf = (counts: StateCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The sums of several counts. */
export const sumsOf = (parts: readonly StateCounts[]): StateCounts =>
  Object.fromEntries(
    worstFirst
      .map((state) => [state, parts.reduce((sum, counts) => sum + (counts[state] ?? 0), 0)] as const)
      .filter(([, count]) => count > 0),
  );

/** The worst state of several objects; undefined for none. */
export function worstOf(counts: StateCounts): State | undefined {
  return worstFirst.find((state) => (counts[state] ?? 0) > 0);
}

/** The share that is live, from 0 to 1. */
const liveShareOf = (counts: StateCounts): number => {
  const total = totalOf(counts);
  return total === 0 ? 0 : (counts.live ?? 0) / total;
};

/** The smallest share of live objects first. */
export const byLiveShare = (left: StateCounts, right: StateCounts): number => liveShareOf(left) - liveShareOf(right);

/** The look of several objects: an error only if none is live. Undefined for none. */
export function lookOfAll(counts: StateCounts): Look | undefined {
  const worst = worstOf(counts);
  if (worst === undefined) return undefined;
  return worst === 'offline' && (counts.live ?? 0) > 0 ? 'warning' : stateWords[worst].look;
}

/** Whether a cluster has members that are offline, and none that still reports. */
export const isDead = ({ live = 0, stale = 0, offline = 0 }: StateCounts): boolean => offline > 0 && live + stale === 0;

/** `3 live, 1 stale, 1 offline`; empty for no objects. */
export function countsText(counts: StateCounts): string {
  return (['live', 'stale', 'offline', 'never_seen'] as const)
    .flatMap((state) => {
      const count = counts[state];
      return count === undefined ? [] : [`${numberText(count)} ${stateWords[state].word.toLowerCase()}`];
    })
    .join(', ');
}

export interface Health {
  look: Look;
  /** One or two words: `Offline`. */
  word: string;
  /** The reason, if the word does not imply it. */
  reason?: string;
  /** The report that `reason` refers to: its age follows the reason. */
  silentSince?: string;
  /** The last report of a healthy object. */
  reportedAt?: string;
  /** Whether the object is healthy. An old page cannot claim this. */
  isGood: boolean;
}

/** The fields of a node, a service or an agent that determine its health. */
export interface HealthFields {
  state?: State | undefined;
  reported_at?: string | undefined;
  removing?: boolean | undefined;
  /** Of a service. */
  node_ids?: readonly string[];
  /** Of an agent, like the next two. Some types have others: `status`, `status_reason`, `pmm_agent_id`. */
  agent_type?: string;
  disabled?: boolean;
}

/** A field that only some types have. */
function textIn(object: HealthFields, name: string): string | undefined {
  const value: unknown = Object.entries(object).find(([field]) => field === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** The source of the reports that determine the state, as the start of a sentence. */
function reporterOf({ node_ids: nodeIds, agent_type: type }: HealthFields): string {
  if (nodeIds !== undefined) return 'No report from its node';
  return type === undefined || type === 'pmm_agent' ? 'No report' : 'No report from its pmm_agent';
}

const statusWords: Readonly<Record<string, Omit<Health, 'isGood'>>> = {
  running: { look: 'success', word: 'Running' },
  starting: { look: 'in-progress', word: 'Starting' },
  stopping: { look: 'in-progress', word: 'Stopping' },
  waiting: { look: 'warning', word: 'Waiting', reason: 'It ended with an error, and waits for its restart' },
  not_supported: { look: 'stopped', word: 'Not supported', reason: 'The service does not start agents of this type' },
  done: { look: 'warning', word: 'Stopped', reason: 'It has ended, although it is enabled' },
};

/** How the API's word for the status of an agent looks, and what it is called here. */
export const statusLook = (status: string): StateWords => statusWords[status] ?? { look: 'pending', word: 'Unknown' };

/** The health of an agent whose host sends reports. @param reason the reported one, instead of that of the status. */
function healthOfAgent(status: string, disabled: boolean, reason: string | undefined): Health {
  if (disabled) {
    const isOver = status === 'done' || status === 'unknown';
    return { look: 'stopped', word: 'Disabled', ...(isOver ? {} : { reason: `Reported as ${status}` }), isGood: false };
  }
  const words = statusWords[status] ?? { look: 'pending', word: 'Unknown', reason: 'No status was reported' };
  return { ...words, ...(reason === undefined ? {} : { reason }), isGood: status === 'running' };
}

/** The health of an object in words; undefined for an object from a reply without states. */
export function healthOf(object: HealthFields): Health | undefined {
  const { state, reported_at: reportedAt, removing, node_ids: nodeIds, agent_type: type, disabled = false } = object;
  if (removing === true)
    return { look: 'in-progress', word: 'Being removed', reason: 'A forced removal has begun', isGood: false };
  if (state === undefined) return undefined;
  const status = type === undefined || type === 'pmm_agent' ? undefined : (textIn(object, 'status') ?? 'unknown');
  // An agent that no agent process starts reports its own status.
  const isOwn = status !== 'unknown' && textIn(object, 'pmm_agent_id') === undefined;
  if (status !== undefined && (disabled || state === 'live' || isOwn))
    return healthOfAgent(status, disabled, textIn(object, 'status_reason'));
  const { look, word } = stateWords[state];
  if (state === 'live') return { look, word, ...(reportedAt === undefined ? {} : { reportedAt }), isGood: true };
  const reporter = reporterOf(object);
  if (reportedAt !== undefined) return { look, word, reason: reporter, silentSince: reportedAt, isGood: false };
  return { look, word, reason: nodeIds?.length === 0 ? 'It runs on no node' : `${reporter} yet`, isGood: false };
}

/** The sort key of the health. It is not a field: it follows from several, which the index does not contain. */
export const HEALTH = 'health';

/** Keys of orders that follow from reports, which the index does not contain. */
export const isReportedKey = (sortBy: string | undefined): boolean => sortBy === HEALTH || sortBy === 'status_since';

/** From the worst to the best. */
const looks: readonly Look[] = ['error', 'warning', 'in-progress', 'pending', 'stopped', 'success'];

/** The rank of an object in a list with the worst first. */
export function healthRank(object: HealthFields): number {
  const look = healthOf(object)?.look;
  return look === undefined ? looks.length : looks.indexOf(look);
}
