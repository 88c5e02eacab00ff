import { createHash } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Contention, OutcomeUnknown, StaleRead } from './contention.ts';
import type { Item, Table } from './table.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const MAX_TRANSACTION_ACTIONS = 100;

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

type WithoutTable<T> = Omit<T, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/** One write of a transaction, and what it means to the caller when its condition does not hold. */
export type TransactItem = {
  [Verb in keyof Action]-?: Record<Verb, WithoutTable<NonNullable<Action[Verb]>>>;
}[keyof Action] & {
  /** @param found the item that stands there; undefined when there is none. */
  onConditionFailed?: (found: Item | undefined) => Error;
  /** Nothing but this very transaction writes it: where it stands already, the transaction took effect before. */
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
 * Writes all of the steps or none of them. The SDK repeats a call whose answer was lost under the same client token, so
 * a repeated call has one effect; also when the engine has forgotten the token, if one of the steps is the transaction's own.
 *
 * @throws whatever the first step in the list whose condition failed says it means; Contention when the engine turned
 *   the transaction away because of others; OutcomeUnknown when it never said what became of it.
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
  const reasons = error.CancellationReasons ?? [];
  return steps.some(({ own }, index) => own === true && reasons[index]?.Code === 'ConditionalCheckFailed');
}

function itemAndCondition(step: TransactItem): [item: Item | undefined, condition: string | undefined] {
  if ('Put' in step) return [step.Put.Item, step.Put.ConditionExpression];
  if ('Update' in step) return [step.Update.Key, step.Update.ConditionExpression];
  if ('Delete' in step) return [step.Delete.Key, step.Delete.ConditionExpression];
  return [step.ConditionCheck.Key, step.ConditionCheck.ConditionExpression];
}

/** The failed condition and its item, with a digest of what the item contained: it may hold what no log may show. */
function evidenceOf(step: TransactItem, found: Item | undefined): string {
  const [item, condition] = itemAndCondition(step);
  const digest = createHash('sha256')
    .update(JSON.stringify(found ?? null))
    .digest('hex');
  return `${String(item?.['pk'])} ${String(item?.['sk'])}: ${condition ?? ''} failed (item ${digest})`;
}

function meaningOf(error: unknown, steps: readonly TransactItem[]): unknown {
  // An earlier attempt of the same call is not through yet. The SDK has asked again in vain; under another token it might
  // be done twice.
  if (error instanceof TransactionInProgressException) return new OutcomeUnknown(error);
  if (error instanceof TransactionConflictException) return new Contention(error);
  if (!(error instanceof TransactionCanceledException)) return error;
  const reasons = error.CancellationReasons ?? [];
  for (const [index, reason] of reasons.entries()) {
    if (reason.Code !== 'ConditionalCheckFailed') continue;
    const step = steps[index];
    if (step?.onConditionFailed === undefined) return error;
    const found = reason.Item === undefined ? undefined : unmarshall(reason.Item);
    const refusal = step.onConditionFailed(found);
    if (refusal instanceof StaleRead) refusal.evidence = evidenceOf(step, found);
    return refusal;
  }
  return reasons.some(({ Code }) => CONTENTION_CODES.includes(Code)) ? new Contention(error) : error;
}

/**
 * After a single conditional write failed: fine when what stands there is what this very write put. The SDK repeats a
 * write whose answer was lost, and the repetition finds the first one.
 *
 * @throws StaleRead when somebody else wrote first; Contention; OutcomeUnknown when the SDK repeated the write and then
 *   found somebody else's; any other error as it comes.
 */
export function acceptOwnWrite(error: unknown, isOwn: (found: Item) => boolean): void {
  const isConflict = error instanceof TransactionConflictException;
  if (!isConflict && !(error instanceof ConditionalCheckFailedException)) throw error;
  const found = isConflict || error.Item === undefined ? undefined : unmarshall(error.Item);
  if (found !== undefined && isOwn(found)) return;
  // The first attempt may have been made, and written over since. Only transactions carry a token by which the engine
  // knows it again.
  if ((error.$metadata.attempts ?? 1) > 1) throw new OutcomeUnknown(error);
  throw isConflict ? new Contention(error) : new StaleRead();
}
