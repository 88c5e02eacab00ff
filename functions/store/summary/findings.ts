import type { Table } from '../../../shared/db/table.ts';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { EXPIRY_DAYS, MAX_EXAMPLES } from '../../domain/records/summary.ts';
import { listEnrolmentTokens } from '../credentials/enrolment-tokens.ts';
import { listApiKeys } from '../credentials/list-api-keys.ts';
import type { JobStatus } from '../jobs/resumable-job.ts';
import type { Page } from '../table/page.ts';
import type { Finding } from './tally-parts.ts';

/** The limit of API keys without those of hosts; enrolment tokens beyond it are not looked at. */
const MAX_CREDENTIALS = 1000;

function finding(
  reason: Finding['reason'],
  kind: Finding['kind'],
  examples: readonly Finding['examples'][number][],
): Finding[] {
  return examples.length === 0
    ? []
    : [{ reason, kind, count: examples.length, places: [], located: 0, examples: examples.slice(0, MAX_EXAMPLES) }];
}

interface ExpiringCredential {
  name: string;
  /** Seconds since 1970. */
  expires_at?: number | undefined;
}

function expiring<T extends ExpiringCredential>({ objects }: Page<T>, now: Date): T[] {
  const [from, to] = [secondsOf(now), secondsOf(now) + EXPIRY_DAYS * 86_400];
  return objects.filter(({ expires_at: end }) => end !== undefined && end > from && end <= to);
}

/** The jobs that do not continue as they should. */
function jobFindings(jobs: readonly JobStatus[]): Finding[] {
  const those = (job: JobStatus['job'], state: JobStatus['state']) =>
    jobs.filter((jobStatus) => jobStatus.job === job && jobStatus.state === state);
  const interrupted = those('forced_removal', 'waiting');
  return [
    ...objectKinds.flatMap((kind) =>
      finding(
        'removal_interrupted',
        kind,
        interrupted.flatMap((status) => (status.kind === kind && status.id !== undefined ? [{ id: status.id }] : [])),
      ),
    ),
    ...finding(
      'reconciliation_failed',
      'reconciliation',
      those('reconciliation', 'stopped').map(({ id = '', actor = '' }) => ({ id, name: actor })),
    ),
    ...finding(
      'cleanup_stopped',
      'cleanup',
      those('cleanup', 'stopped').map(({ updatedAt = 0 }) => ({ id: new Date(updatedAt).toISOString() })),
    ),
  ];
}

/** Findings besides the states of objects. Keys of hosts are left out: hosts rotate them. */
export async function readFindings(table: Table, jobs: readonly JobStatus[], now: Date): Promise<Finding[]> {
  const page = { size: MAX_CREDENTIALS, after: undefined };
  const [keys, tokens] = await Promise.all([
    listApiKeys(table, page, { excludeHosts: true }),
    listEnrolmentTokens(table, page),
  ]);
  return [
    ...jobFindings(jobs),
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
