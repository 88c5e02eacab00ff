import { DependencyError } from '../core/errors.ts';
import type { Item } from './item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html */
export interface CancellationReason {
  Code?: string | undefined;
  Message?: string | undefined;
  Item?: Item | undefined;
}

interface Details {
  message: string;
  attempts?: number;
  status?: number;
}

/** DynamoDB refused a call. `name` is the name of the error in the API of DynamoDB. */
export class DynamoDbError extends DependencyError {
  readonly status: number;
  /** Set by the client: number of attempts of the call. */
  attempts: number;

  constructor(name: string, { message, attempts = 1, status = 400 }: Details) {
    super(message);
    this.name = name;
    this.attempts = attempts;
    this.status = status;
  }
}

/** The condition of a single write failed. */
export class ConditionalCheckFailedException extends DynamoDbError {
  /** The present item; undefined when none exists. */
  readonly Item: Item | undefined;

  constructor(details: Details & { Item?: Item | undefined }) {
    super('ConditionalCheckFailedException', details);
    this.Item = details.Item;
  }
}

/** A concurrent transaction contains the item of a single write. */
export class TransactionConflictException extends DynamoDbError {
  constructor(details: Details) {
    super('TransactionConflictException', details);
  }
}

/** A transaction had no effect; the reasons are in the order of its items. */
export class TransactionCanceledException extends DynamoDbError {
  readonly CancellationReasons: CancellationReason[];

  constructor(details: Details & { CancellationReasons: CancellationReason[] }) {
    super('TransactionCanceledException', details);
    this.CancellationReasons = details.CancellationReasons;
  }
}

/** An earlier attempt of the same transaction has not ended. */
export class TransactionInProgressException extends DynamoDbError {
  constructor(details: Details) {
    super('TransactionInProgressException', details);
  }
}

/** The call has no usable reply: no connection, a timeout, an incomplete reply, a server error. */
export class UnansweredError extends Error {
  constructor(cause: unknown) {
    super('the table does not answer', { cause });
    this.name = 'UnansweredError';
  }
}
