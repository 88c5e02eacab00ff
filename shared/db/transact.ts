import { createHash } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from './table-errors.ts';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { Contention, OutcomeUnknown, StaleRead } from './contention.ts';
import type { Item, Table } from './table.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const MAX_TRANSACTION_ACTIONS = 100;

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

type WithoutTable<T> = Omit<T, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/** One action of a transaction, and the error for the caller when its condition fails. */
export type TransactItem = {
  [Verb in keyof Action]-?: Record<Verb, WithoutTable<NonNullable<Action[Verb]>>>;
}[keyof Action] & {
  /** @param found the present item; undefined when it does not exist. */
  onConditionFailed?: (found: Item | undefined) => Error;
  /** Only this transaction writes the item. If it exists already, the transaction took effect before. */
  own?: true;
};

function toAction(table: Table, { onConditionFailed: refused, own, ...action }: TransactItem): Action {
  const where = { TableName: table.name, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('Put' in action) return { Put: { ...action.Put, ...where } };
  if ('Update' in action) return { Update: { ...action.Update, ...where } };
  if ('Delete' in action) return { Delete: { ...action.Delete, ...where } };
  return { ConditionCheck: { ...action.ConditionCheck, ...where } };
}

const CONTENTION_CODES: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/**
 * Writes all transact items or none. The client repeats a call whose reply was lost with the same client token, so the
 * repeated call has one effect. If one of the items is `own`, this also holds after the database has forgotten the
 * token.
 *
 * @throws the error of the first item in the list whose condition failed; Contention when the database refused the
 *   transaction because of concurrent ones; OutcomeUnknown when its outcome is unknown.
 */
export async function transact(table: Table, steps: readonly TransactItem[]): Promise<void> {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: steps.map((step) => toAction(table, step)) }));
  } catch (error) {
    if (!tookEffectBefore(error, steps)) throw meaningOf(error, steps);
  }
}

function tookEffectBefore(error: unknown, steps: readonly TransactItem[]): boolean {
  if (!(error instanceof TransactionCanceledException)) return false;
  const reasons = error.CancellationReasons;
  return steps.some(({ own }, index) => own === true && reasons[index]?.Code === 'ConditionalCheckFailed');
}

function itemAndCondition(step: TransactItem): [item: Item | undefined, condition: string | undefined] {
  if ('Put' in step) return [step.Put.Item, step.Put.ConditionExpression];
  if ('Update' in step) return [step.Update.Key, step.Update.ConditionExpression];
  if ('Delete' in step) return [step.Delete.Key, step.Delete.ConditionExpression];
  return [step.ConditionCheck.Key, step.ConditionCheck.ConditionExpression];
}

/**
 * The failed condition and its item, with a digest of the item's contents, which may be secret and must not be logged.
 */
function evidenceOf(step: TransactItem, found: Item | undefined): string {
  const [item, condition] = itemAndCondition(step);
  const digest = createHash('sha256')
    .update(JSON.stringify(found ?? null))
    .digest('hex');
  return `${String(item?.['pk'])} ${String(item?.['sk'])}: ${condition ?? ''} failed (item ${digest})`;
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
    const found = reason.Item;
    const refusal = step.onConditionFailed(found);
    if (refusal instanceof StaleRead) refusal.evidence = evidenceOf(step, found);
    return refusal;
  }
  return reasons.some(({ Code }) => CONTENTION_CODES.includes(Code)) ? new Contention(error) : error;
}

/**
 * For the error of a single conditional write: returns if the present item is what this write put. The client repeats a
 * write whose reply was lost, and the repetition finds the result of the first attempt.
 *
 * @throws StaleRead after a concurrent write; Contention; OutcomeUnknown when the client repeated the write and then found
 *   another item; all other errors unchanged.
 */
export function acceptOwnWrite(error: unknown, isOwn: (found: Item) => boolean): void {
  const isConflict = error instanceof TransactionConflictException;
  if (!isConflict && !(error instanceof ConditionalCheckFailedException)) throw error;
  const found = isConflict ? undefined : error.Item;
  if (found !== undefined && isOwn(found)) return;
  // The first attempt may have taken effect and been overwritten since. Only transactions have a token by which the
  // database recognises a repetition.
  if (error.attempts > 1) throw new OutcomeUnknown(error);
  throw isConflict ? new Contention(error) : new StaleRead();
}
