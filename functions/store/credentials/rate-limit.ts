import { secondsOf } from '../../../shared/core/seconds.ts';
import { isAtLeast, isAtMost, orAbsent } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { rateKey, TTL_ATTRIBUTE } from '../table/keys.ts';

const WINDOW_SECONDS = 60;

/** How long a count is kept after its minute. */
const KEPT_SECONDS = 3600;

/**
 * Counts a request of a key in the present minute, unless that exceeds its limit. One conditional write.
 *
 * Minutes are those of the clock, so a span of 60 seconds that crosses two of them may contain up to twice the limit.
 * An attempt whose reply was lost may be counted twice.
 *
 * @param cost number of requests to count, or to take back; none is counted when fewer are left.
 * @returns seconds until the next minute when fewer than `cost` are left, otherwise undefined.
 */
export async function consumeRateLimit(
  table: Table,
  { keyId, ratePerMinute, cost, now }: { keyId: string; ratePerMinute: number; cost: number; now: Date },
): Promise<number | undefined> {
  const seconds = secondsOf(now);
  const minute = Math.floor(seconds / WINDOW_SECONDS);
  const end = (minute + 1) * WINDOW_SECONDS;
  const { refusal } = await writeItem(table, {
    update: rateKey(keyId, minute),
    add: { requests: cost },
    set: { [TTL_ATTRIBUTE]: end + KEPT_SECONDS },
    // No more requests are taken back than were counted.
    condition: cost < 0 ? isAtLeast('requests', -cost) : orAbsent(isAtMost('requests', ratePerMinute - cost)),
  });
  return refusal === undefined ? undefined : end - seconds;
}
