import { DynamoDbError } from '../../../shared/db/table-errors.ts';

/** DynamoDB refuses the input. */
export const invalid = (message: string) => new DynamoDbError('ValidationException', { message });

export const invalidParameter = (message: string) => invalid(`One or more parameter values were invalid: ${message}`);

/** DynamoDB refuses an expression. */
export const invalidExpression = (message: string) => invalid(`Invalid expression: ${message}`);

/** The engine cannot do its work. `local/engine/engine-faults.ts` finds the cause in the message of SQLite or the system. */
export const broken = (error: unknown) =>
  error instanceof DynamoDbError
    ? error
    : new DynamoDbError('InternalServerError', {
        message: error instanceof Error ? error.message : String(error),
        status: 500,
      });
