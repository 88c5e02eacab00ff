import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type { Role } from '../../shared/auth/roles.ts';
import type { ObjectKind } from '../domain/fields/object-kind.ts';
import {
  attentionKinds,
  attentionReasons,
  countedParts,
  type CountedPart,
  credentialKinds,
  STATE_STEP_SECONDS,
} from '../domain/records/summary.ts';
import { toChangeReply } from './change.ts';
import type { JobStatus } from '../store/jobs/resumable-job.ts';
import type { KeptSummary } from '../store/summary/kept-summary.ts';
import type { NodeStates } from '../store/summary/node-states.ts';
import type { Row } from '../store/summary/rows.ts';
import type { Finding, Zone } from '../store/summary/tally-parts.ts';

/** Paths of the lists of findings; the list of agents that do not run contains disabled ones as well. */
const lists: Readonly<Record<string, string>> = {
  'offline node': '/v1/nodes?state=offline',
  'offline service': '/v1/services?state=offline',
  'stale node': '/v1/nodes?state=stale',
  'stale service': '/v1/services?state=stale',
  // With those that were added within the time in which a new node needs no attention.
  'never_seen node': '/v1/nodes?state=never_seen',
  'waiting agent': '/v1/agents?status=waiting&state=live,stale',
  'not_running agent': '/v1/agents?status=starting,stopping,done&state=live,stale',
  'expires_soon api_key': '/v1/api-keys',
  'expires_soon enrolment_token': '/v1/enrolment-tokens',
};

/** The sums of rows by the word at an index. */
function sumsBy(rows: readonly Row[], index: 1 | 2): Record<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row[index], (sums.get(row[index]) ?? 0) + row[4]);
  return Object.fromEntries(sums);
}

const total = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + row[4], 0);

function tallyOf(kind: ObjectKind, { rows, silenced }: KeptSummary['count']) {
  const isOfKind = (row: Row) => row[0] === kind;
  const ofKind = rows.filter(isOfKind);
  return {
    total: total(ofKind),
    silenced: total(silenced.filter(isOfKind)),
    by_state: sumsBy(ofKind, 2),
    by_type: sumsBy(ofKind, 1),
  };
}

/** By the reason, then by the kind. */
const rankOf = ({ reason, kind }: Finding) =>
  attentionReasons.indexOf(reason) * attentionKinds.length + attentionKinds.indexOf(kind);

const placeOf = ([region, az]: Zone) => `${region}\0${az}`;

const byPlace = (left: Zone, right: Zone) => (placeOf(left) < placeOf(right) ? -1 : 1);

function toAttention({ reason, kind, count, examples, places, located }: Finding) {
  const list = lists[`${reason} ${kind}`];
  return {
    ...{ reason, kind, count, examples },
    // Not if some objects were not located: their numbers would be too low.
    ...(located < count ? {} : { places: places.map(([label, value, number]) => ({ label, value, count: number })) }),
    ...(list === undefined ? {} : { list }),
  };
}

/** The numbers that lack objects or changes. */
function incompleteParts({ isPartial, hasAllChanges, count }: KeptSummary): CountedPart[] {
  const lacking: Record<CountedPart, boolean> = { objects: isPartial, clusters: count.isCut, changes: !hasAllChanges };
  return countedParts.filter((part) => lacking[part]);
}

/** Whether every object and change is in the numbers. */
export const isComplete = (summary: KeptSummary) => incompleteParts(summary).length === 0;

export const ageSeconds = ({ at }: KeptSummary, now: Date) => Math.max(0, Math.floor((now.getTime() - at) / 1000));

function toJob({ job, id, state, begunAt, updatedAt, total, done, reason }: JobStatus) {
  const updated = updatedAt === undefined ? {} : { updated_at: timeTextOfMs(updatedAt) };
  return { job, id, state, begun_at: timeTextOfMs(begunAt), ...updated, total, done, reason };
}

const toNodeStates = ({ begin, counts }: NodeStates) => ({
  begin: timeTextOfMs(begin),
  step_seconds: STATE_STEP_SECONDS,
  ...counts,
});

/** @param role of the caller: findings about credentials are for an Admin. */
export function toSummaryReply(summary: KeptSummary, role: Role, now: Date) {
  const { at, count, countedAt, nodeStates, findings, jobs, hours, latest } = summary;
  const attention = [...count.findings, ...findings]
    .filter(({ kind }) => role === 'Admin' || !credentialKinds.includes(kind))
    .sort((left, right) => rankOf(left) - rankOf(right));
  return {
    computed_at: timeTextOfMs(at),
    age_seconds: ageSeconds(summary, now),
    complete: isComplete(summary),
    incomplete: incompleteParts(summary),
    counted_at: timeTextOfMs(countedAt),
    nodes: tallyOf('node', count),
    services: tallyOf('service', count),
    agents: tallyOf('agent', count),
    clusters: count.clusters,
    zones: [...count.zones].sort(byPlace).map(([region, az, counts]) => ({
      region,
      ...(az === '' ? {} : { az }),
      by_state: counts,
    })),
    ...(nodeStates === undefined ? {} : { node_states: toNodeStates(nodeStates) }),
    attention: attention.map(toAttention),
    jobs: jobs.map(toJob),
    changes: hours.map(([hour, kind, action, number]) => ({ hour: timeTextOfMs(hour), kind, action, count: number })),
    latest: latest.map(({ previous, ...change }) =>
      toChangeReply({ ...change, ...(previous === undefined ? {} : { previous }) }),
    ),
  };
}
