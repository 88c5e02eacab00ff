import type {
  BatchGetCommandInput,
  BatchWriteCommandInput,
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

export type {
  BatchWriteCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** A call of DynamoDB, with the input that the document client of the AWS SDK has: values are plain. */
export abstract class Command<Input extends object = object> {
  /** The name in the API of DynamoDB. */
  abstract readonly operation: string;
  readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }
}

export class BatchGetCommand extends Command<BatchGetCommandInput> {
  readonly operation = 'BatchGetItem';
}

export class BatchWriteCommand extends Command<BatchWriteCommandInput> {
  readonly operation = 'BatchWriteItem';
}

export class DeleteCommand extends Command<DeleteCommandInput> {
  readonly operation = 'DeleteItem';
}

export class GetCommand extends Command<GetCommandInput> {
  readonly operation = 'GetItem';
}

export class PutCommand extends Command<PutCommandInput> {
  readonly operation = 'PutItem';
}

export class QueryCommand extends Command<QueryCommandInput> {
  readonly operation = 'Query';
}

export class TransactWriteCommand extends Command<TransactWriteCommandInput> {
  readonly operation = 'TransactWriteItems';
}

export class UpdateCommand extends Command<UpdateCommandInput> {
  readonly operation = 'UpdateItem';
}
