import { createHash } from 'node:crypto';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from './table-errors.ts';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { Contention, OutcomeUnknown, StaleRead } from './contention.ts';
import { Expressions } from './expressions.ts';
import { type ItemAction, targetOf, toAction } from './item-writes.ts';
import type { Item, Table } from './table.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const MAX_TRANSACTION_ACTIONS = 100;

/** One action of a transaction, and the error for the caller when its condition fails. */
export type TransactItem = ItemAction & {
  /** @param present the item; undefined when it does not exist. */
  onConditionFailed?: (present: Item | undefined) => Error;
  /** Only this transaction writes the item. If it exists already, the transaction took effect before. */
  exclusive?: true;
};

const CONTENTION_CODES: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/**
 * Writes all transact items or none. The client repeats a call whose reply was lost with the same client token, so the
 * repeated call has one effect. If one of the items is `exclusive`, this also holds after the database has forgotten the
 * token.
 *
 * @throws the error of the first item in the list whose condition failed; Contention when the database refused the
 *   transaction because of concurrent ones; OutcomeUnknown when its outcome is unknown.
 */
export async function transact(table: Table, steps: readonly TransactItem[]): Promise<void> {
  try {
    await table.client.send(
      new TransactWriteCommand({ TransactItems: steps.map((step) => toAction(table.name, step)) }),
    );
  } catch (error) {
    if (!tookEffectBefore(error, steps)) throw meaningOf(error, steps);
  }
}

function tookEffectBefore(error: unknown, steps: readonly TransactItem[]): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  const reasons = error.CancellationReasons;
  return steps.some(({ exclusive }, index) => exclusive === true && reasons[index]?.Code === 'ConditionalCheckFailed');
}

/**
 * The failed condition and its item, with a digest of the item's contents, which may be secret and must not be logged.
 */
function evidenceOf(step: TransactItem, present: Item | undefined): string {
  const { pk, sk } = targetOf(step);
  const condition = step.condition === undefined ? '' : new Expressions().condition(step.condition);
  const digest = createHash('sha256')
    .update(JSON.stringify(present ?? null))
    .digest('hex');
  return `${String(pk)} ${String(sk)}: ${condition} failed (item ${digest})`;
}

function meaningOf(error: unknown, steps: readonly TransactItem[]): unknown {
  // An earlier attempt of the same call is still in progress. The client has retried in vain; another token could write
  // twice.
  if (error instanceof TransactionInProgressException) return new OutcomeUnknown(error);
  if (error instanceof TransactionConflictException) return new Contention(error);
  if (!(error instanceof TransactionCanceledException)) return error;
  const reasons = error.CancellationReasons;
  for (const [index, reason] of reasons.entries()) {
    if (reason.Code !== 'ConditionalCheckFailed') continue;
    const step = steps[index];
    if (step?.onConditionFailed === undefined) return error;
    const present = reason.Item;
    const refusal = step.onConditionFailed(present);
    if (refusal instanceof StaleRead) refusal.evidence = evidenceOf(step, present);
    return refusal;
  }
  return reasons.some(({ Code }) => CONTENTION_CODES.includes(Code)) ? new Contention(error) : error;
}
