import type { Table } from '../../../shared/db/table.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { EXPIRY_DAYS, MAX_EXAMPLES } from '../../domain/records/summary.ts';
import { listEnrolmentTokens } from '../credentials/enrolment-tokens.ts';
import { listApiKeys } from '../credentials/list-api-keys.ts';
import { stoppedCleanup } from '../inventory/unfinished-cleanup.ts';
import { failedReconciliations } from '../jobs/reconciliations.ts';
import { listForcedRemovals } from '../jobs/forced-removals.ts';
import type { Page } from '../table/page.ts';
import type { Finding } from './tally.ts';

/** A removal that began before this is interrupted: the service finishes others sooner. */
const INTERRUPTED_MS = 60_000;

/** The limit of API keys without those of hosts; enrolment tokens beyond it are not looked at. */
const MAX_CREDENTIALS = 1000;

function finding(
  reason: Finding['reason'],
  kind: Finding['kind'],
  examples: readonly Finding['examples'][number][],
): Finding[] {
  return examples.length === 0
    ? []
    : [{ reason, kind, count: examples.length, examples: examples.slice(0, MAX_EXAMPLES) }];
}

interface Expiring {
  name: string;
  /** Seconds since 1970. */
  expires_at?: number | undefined;
}

function expiring<T extends Expiring>({ objects }: Page<T>, now: Date): T[] {
  const [from, to] = [secondsOf(now), secondsOf(now) + EXPIRY_DAYS * 86_400];
  return objects.filter(({ expires_at: end }) => end !== undefined && end > from && end <= to);
}

/** What needs attention besides the states of objects. Keys of hosts are left out: hosts rotate them by themselves. */
export async function readFindings(table: Table, now: Date): Promise<Finding[]> {
  const page = { size: MAX_CREDENTIALS, after: undefined };
  const [removals, reconciliations, cleanup, keys, tokens] = await Promise.all([
    listForcedRemovals(table),
    failedReconciliations(table, now),
    stoppedCleanup(table),
    listApiKeys(table, page, { excludeHosts: true }),
    listEnrolmentTokens(table, page),
  ]);
  const interrupted = removals.filter(({ begunAt }) => now.getTime() - begunAt.getTime() > INTERRUPTED_MS);
  return [
    ...(['node', 'service', 'agent'] as const).flatMap((kind) =>
      finding(
        'removal_interrupted',
        kind,
        interrupted.filter((one) => one.kind === kind),
      ),
    ),
    ...finding(
      'reconciliation_failed',
      'reconciliation',
      reconciliations.map(({ planId, actor }) => ({ id: planId, name: actor.name })),
    ),
    ...finding('cleanup_stopped', 'cleanup', cleanup === undefined ? [] : [{ id: new Date(cleanup.at).toISOString() }]),
    ...finding(
      'expires_soon',
      'api_key',
      expiring(keys, now).map(({ key_id: id, name }) => ({ id, name })),
    ),
    ...finding(
      'expires_soon',
      'enrolment_token',
      expiring(tokens, now).map(({ token_id: id, name }) => ({ id, name })),
    ),
  ];
}
