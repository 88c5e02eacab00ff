import { items } from './items.ts';
import { keyFrom, textFrom } from './key-parts.ts';
import { TTL_ATTRIBUTE } from './table-key.ts';

// Changes ------------------------------------------------------------------------------------------------------------

/**
 * Number of partitions for changes in a new table, and in every table of an earlier version. DynamoDB writes 1,000 units
 * a second to each, which is 500 changes. The table contains a larger number (history/change-shards.ts). It never
 * decreases: readers would not find the changes in the other partitions.
 */
export const FIRST_CHANGE_SHARDS = 4;

/** The partition is one digit of a change id. */
export const MAX_CHANGE_SHARDS = 36;

export const changeShardsKey = keyFrom(items.changeShards)();

/** Digits of a time in milliseconds since 1970 in base 36; nine are enough until the year 5188. */
const TIME_DIGITS = 9;

const timeText = (milliseconds: number) => milliseconds.toString(36).padStart(TIME_DIGITS, '0');

/**
 * The id of a change: its partition, time, transaction, and index within the transaction. The changes of one partition
 * sort by their ids.
 *
 * @param transaction six letters and digits that distinguish the transactions of the same millisecond.
 */
export function changeIdOf(shard: number, milliseconds: number, transaction: string, index: number): string {
  return `${shard.toString(36)}${timeText(milliseconds)}${transaction}${index.toString(36).padStart(2, '0')}`;
}

const SHARD_DIGITS = 1;

/** The time of the change, in milliseconds since 1970. */
export function timeOfChange(changeId: string): number {
  return Number.parseInt(changeId.slice(SHARD_DIGITS, SHARD_DIGITS + TIME_DIGITS), 36);
}

const changePartition = textFrom(items.change.pk);

export const changeShardPartition = (shard: number) => changePartition(shard.toString(36));

const change = keyFrom(items.change);

export const changeKey = (changeId: string) => change(changeId.slice(0, SHARD_DIGITS), changeId.slice(SHARD_DIGITS));

/**
 * The changes of states: one partition, which takes 500 of them a second, and of which readers of other changes pay
 * nothing. Not below `CHANGE#`: the audit and the summary must not contain it.
 */
export const STATE_CHANGES_PARTITION = items.stateChange.pk;

/** Its id begins with a digit that means nothing, so that all ids of changes have the same form. */
export function stateChangeIdOf(milliseconds: number, transaction: string): string {
  return changeIdOf(0, milliseconds, transaction, 0);
}

export function stateChangeKey(changeId: string) {
  return { pk: STATE_CHANGES_PARTITION, sk: changeId.slice(SHARD_DIGITS) };
}

/** The id of the change of a state whose item has this key. */
export const stateChangeIdIn = ({ sk }: { sk: string }) => `${'0'.repeat(SHARD_DIGITS)}${sk}`;

/** The lower bound of the sort keys of all changes since that time, in any partition. */
export function changesFrom(milliseconds: number): string {
  return timeText(milliseconds);
}

// Removals -----------------------------------------------------------------------------------------------------------

/** One partition: DynamoDB writes some 300 removals a second to it, each with all objects that it removes. */
export const REMOVALS_PARTITION = items.removal.pk;

/**
 * Removal ids sort by time. @param name six letters and digits that distinguish the removals of the same millisecond.
 */
export function removalIdOf(milliseconds: number, name: string): string {
  return `${timeText(milliseconds)}${name}`;
}

/** The time at which the removal began, in milliseconds since 1970. */
export function timeOfRemoval(removalId: string): number {
  return Number.parseInt(removalId.slice(0, TIME_DIGITS), 36);
}

/** The prefix of the sort keys of all parts of a removal. */
export const removalParts = (removalId: string) => `${removalId}#`;

/** The part of a removal names the transaction: the id of its first change. */
export const removalKey = keyFrom(items.removal);

export const removalIn = (sortKey: string) => sortKey.slice(0, sortKey.indexOf('#'));

/** The lower bound of the sort keys of all removals since that time. */
export const removalsFrom = (milliseconds: number) => timeText(milliseconds);

// Audit --------------------------------------------------------------------------------------------------------------

export const ACCESS_EVENTS_PARTITION = items.accessEvent.pk;
export const REFUSALS_PARTITION = items.refusals.pk;
export const ANNOTATIONS_PARTITION = items.annotation.pk;

/** The partition of an audit event that is no change and no refusal. */
export const partitionOfEvent = (event: string) =>
  /^(annotation|silence|saved_filter)\./.test(event) ? ANNOTATIONS_PARTITION : ACCESS_EVENTS_PARTITION;

/** @param name six letters and digits that distinguish the events of the same millisecond. */
export function accessEventKey(event: string, milliseconds: number, name: string) {
  return { pk: partitionOfEvent(event), sk: `${timeText(milliseconds)}${name}` };
}

/** @param digest of caller, event, reason and source. Equal refusals of one minute are counted in one item. */
export function refusalKey(minuteMilliseconds: number, digest: string) {
  return { pk: REFUSALS_PARTITION, sk: `${timeText(minuteMilliseconds)}${digest}` };
}

/** The attributes that counting refusals writes. IAM lets the authorizer update no others in these items. */
export const refusalAttributes: readonly string[] = [
  ...['event', 'reason', 'actor_kind', 'actor_id', 'actor_name', 'subject_kind', 'subject_id', 'subject_name'],
  ...['source_ip', 'request_id', 'count', 'first_at', 'last_at', 'write_id', TTL_ATTRIBUTE],
];

/** The time of a change, an access event or refusals, in milliseconds since 1970: the prefix of the sort key. */
export function timeOfSortKey(sortKey: string): number {
  return Number.parseInt(sortKey.slice(0, TIME_DIGITS), 36);
}
