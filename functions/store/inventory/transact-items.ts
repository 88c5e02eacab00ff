import { randomInt } from 'node:crypto';
import { stale } from '../../../shared/db/conditions.ts';
import { targetOf } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { changeShardsToWrite } from '../history/change-shards.ts';
import { changeStep, lastChangeOf } from '../history/change-record.ts';
import { feedTime, noteChange } from '../history/feed-time.ts';
import { heartbeatStep } from '../heartbeats/heartbeat-update.ts';
import { isFreeAt, releasedClaim, releaseIn } from '../entities/claim-owners.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { changeIdOf, FIRST_CHANGE_SHARDS, isNameClaim, nameOfKey, timeOfChange } from '../table/keys.ts';
import { removalSteps } from '../history/removal-record.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { dependentsItem } from './dependents-counter.ts';
import type { TransactionPlan } from './transaction-plan.ts';

/** Later than every known change that the plan builds on, and not before the time of the feed. */
function timeOf({ writes, writeContext }: TransactionPlan, feed: number): number {
  const times = writes.flatMap(({ change }) => {
    const last = lastChangeOf(change);
    return last === undefined ? [] : [timeOfChange(last)];
  });
  return Math.max(feed, writeContext.minTimestamp + 1, ...times.map((time) => time + 1));
}

/**
 * The plan as a transaction, with the records of its changes. When several conditions fail, the caller receives the
 * error of the first item: claims precede references. Called again for each attempt, because the changes get the time
 * of the attempt.
 */
export async function toTransactItems(table: Table, plan: TransactionPlan): Promise<TransactItem[]> {
  const clock = plan.writeContext.clock();
  const at = timeOf(plan, await feedTime(table, clock));
  noteChange(table, at);
  return transactItemsAt(plan, at, changeShardsToWrite(table, clock));
}

/** The claim of a name stays when it is released, with the time (claim-owners.ts). Other derived items are deleted. */
const releasedAt =
  (at: number) =>
  (step: TransactItem): TransactItem => {
    if (!('delete' in step) || !isNameClaim(step.delete)) return step;
    const { delete: key, ...condition } = step;
    return { ...condition, put: releasedClaim(key, at) };
  };

/** A name is claimed at a later time than its release. */
const claimedAt =
  (at: number, writeContext: WriteContext) =>
  (step: TransactItem): TransactItem => {
    if (!('put' in step) || !isNameClaim(step.put)) return step;
    const { onConditionFailed } = step;
    return {
      ...step,
      condition: isFreeAt(at),
      onConditionFailed: (item) => {
        const release = releaseIn(item);
        if (release === undefined) return onConditionFailed?.(item) ?? stale();
        writeContext.minTimestamp = Math.max(writeContext.minTimestamp, release);
        return stale();
      },
    };
  };

export const countTransactItems = (plan: TransactionPlan) => transactItemsAt(plan, 0).length;

/** As `toTransactItems`, for a known time and number of partitions of changes. */
export function transactItemsAt(plan: TransactionPlan, at: number, shards = FIRST_CHANGE_SHARDS): TransactItem[] {
  const transaction = newTransactionName();
  const shard = randomInt(shards);
  const writes = plan.writes.map(({ change, step }, index) => {
    const changeId = changeIdOf(shard, at, transaction, index);
    return { changeId, change, record: changeStep(changeId, change, plan.writeContext), object: step(changeId) };
  });
  const removal = removalSteps(writes, plan, at);
  const objects = [...writes.map(({ object }) => object), ...plan.removalMarks];
  // A transaction may contain an item only once. An object that the plan writes needs no scope check: it was inside the
  // scope when it was read, and its write requires that it is unchanged.
  const written = new Set(objects.map((step) => nameOfKey(targetOf(step))));
  const checks = [...plan.checks].filter(([name]) => !written.has(name)).map(([, step]) => step);
  const counters = [...plan.dependentsChanges.values()].map((change) => dependentsItem(change, plan.writeContext, at));
  const heartbeats = [...plan.heartbeats.values()].map((change) => heartbeatStep(change, plan.writeContext, at));
  return [
    ...plan.first,
    ...plan.claims.map(claimedAt(at, plan.writeContext)),
    ...counters,
    ...checks,
    ...objects,
    ...plan.derivedItems.map(releasedAt(at)),
    ...heartbeats,
    ...writes.map(({ record }) => record),
    ...removal,
  ];
}
