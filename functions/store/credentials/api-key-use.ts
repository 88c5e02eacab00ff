import { and, isAtMost, orAbsent, PRESENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { secretItemKey } from '../table/keys.ts';
import { type ApiKey, findSecret } from './api-keys.ts';
import { addUses, sumOfUses, takeUses, type UsesByDay } from './use-counts.ts';

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

export interface Use {
  /** The key as it was read by the secret. */
  key: ApiKey;
  hash: string;
  /** The hash of the newest secret of the key. A use of another one is also recorded there, where lists find it. */
  newest: string;
  nowSeconds: number;
  /** The source address, as the gateway saw it. */
  sourceIp: string;
}

/**
 * Records a use, and the uses that this process has counted since it last recorded one of the key. A former secret takes
 * one more read, of the newest one, and one more write.
 *
 * @returns false when the secret does not exist any more, or when a recent use is recorded.
 */
export async function recordUse(table: Table, use: Use): Promise<boolean> {
  const { key, hash, newest } = use;
  if (hash === newest) return writeWithCounts(table, use, { key, prefix: '' });
  if (!(await write(table, use, { prefix: '' }))) return false;
  const present = await findSecret(table, key, newest);
  if (present !== undefined)
    await writeWithCounts(table, { ...use, hash: newest }, { key: present, prefix: 'former_' });
  return true;
}

/** @param item the newest secret as it was read. No other write of the counts since then meets the condition. */
async function writeWithCounts(
  table: Table,
  use: Use,
  { key, prefix }: { key: ApiKey; prefix: '' | 'former_' },
): Promise<boolean> {
  const counted = takeUses(table, key);
  const isWritten = await write(table, use, { prefix, uses: sumOfUses(key[`${prefix}uses`], counted) });
  if (!isWritten && counted !== undefined) addUses(table, key, counted);
  return isWritten;
}

async function write(
  table: Table,
  { key, hash, nowSeconds, sourceIp }: Use,
  { prefix, uses = {} }: { prefix: '' | 'former_'; uses?: UsesByDay },
): Promise<boolean> {
  const at = `${prefix}last_used_at`;
  const counts = Object.keys(uses).length === 0 ? {} : { [`${prefix}uses`]: uses };
  const { refusal } = await writeItem(table, {
    update: secretItemKey(key, hash),
    set: { [at]: nowSeconds, [`${prefix}last_used_from`]: sourceIp, ...counts },
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
    async () => (await recordUse(table, use)) || (await findSecret(table, use.key, use.hash)) !== undefined,
    FIRST_USE_MS,
  );
}
