import type { CreateTableCommandInput, DescribeTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { Command } from '../shared/db/commands.ts';

/*
 * Commands that no function in the cloud uses.
 */

export class CreateTableCommand extends Command<CreateTableCommandInput> {
  readonly operation = 'CreateTable';
}

export class DescribeTableCommand extends Command<DescribeTableCommandInput> {
  readonly operation = 'DescribeTable';
}

export class ScanCommand extends Command<ScanCommandInput> {
  readonly operation = 'Scan';
}
