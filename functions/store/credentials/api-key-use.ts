import { and, isAtMost, orAbsent, PRESENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { apiKeyItemKey } from '../table/keys.ts';
import { type ApiKey, findApiKey } from './api-keys.ts';

/** The last use is recorded at most this often, so that a busy key does not make its item hot. */
export const LAST_USED_EVERY_SECONDS = 300;

/**
 * The same for a host that reports with its own key: the heartbeat of its node contains the key with each stored report
 * (entities/key-use.ts). Once a day also reports that are refused, or that a relay makes unnecessary, are recorded.
 */
export const LAST_REPORTED_EVERY_SECONDS = 86_400;

/**
 * Whether the last recorded use is so old that this one must be recorded.
 *
 * @param reports whether the request is a report.
 */
export function isUseWorthRecording(key: ApiKey, nowSeconds: number, reports: boolean): boolean {
  const every = reports && key.node_id !== undefined ? LAST_REPORTED_EVERY_SECONDS : LAST_USED_EVERY_SECONDS;
  return key.last_used_at === undefined || key.last_used_at <= nowSeconds - every;
}

/** A use of a secret. */
export interface Use {
  hash: string;
  /** The hash of the newest secret of the key. A use of another one is also recorded there, where lists find it. */
  newest: string;
  nowSeconds: number;
  /** The source address, as the gateway saw it. */
  sourceIp: string;
}

/** Records a use. @returns false when the secret does not exist any more, or when a recent use is recorded. */
export async function recordUse(table: Table, use: Use): Promise<boolean> {
  if (!(await write(table, use, ''))) return false;
  if (use.hash !== use.newest) await write(table, { ...use, hash: use.newest }, 'former_');
  return true;
}

async function write(table: Table, { hash, nowSeconds, sourceIp }: Use, prefix: '' | 'former_'): Promise<boolean> {
  const at = `${prefix}last_used_at`;
  const { refusal } = await writeItem(table, {
    update: apiKeyItemKey(hash),
    set: { [at]: nowSeconds, [`${prefix}last_used_from`]: sourceIp },
    condition: and(PRESENT, orAbsent(isAtMost(at, nowSeconds - LAST_USED_EVERY_SECONDS))),
  });
  return refusal === undefined;
}

/** Within the authorizer's timeout. A conflict with a repeated rotation at the same moment is retried. */
const FIRST_USE_MS = 3000;

/**
 * Records the first use of a secret that a previous secret could still replace by repeating its rotation. Must succeed
 * before the secret is accepted: from then on, a condition refuses the repetition. Until it is recorded, no reply of
 * the authorizer may be cached.
 *
 * @returns false when the secret does not exist any more.
 * @throws ApiError `unavailable` when the use cannot be recorded: the caller must be refused.
 */
export async function recordFirstUse(table: Table, use: Use): Promise<boolean> {
  return retryOnContention(
    table,
    async () => (await recordUse(table, use)) || (await findApiKey(table, use.hash)) !== undefined,
    FIRST_USE_MS,
  );
}
