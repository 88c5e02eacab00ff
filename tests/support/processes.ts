import { BatchGetCommand, BatchWriteCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/db/table.ts';

/** Called with each command of a process before it is sent. */
export type BeforeCommand = (command: any) => Promise<void> | void;

let processes = 0;

/**
 * The table as another process sees it: under a name of its own, because the code keeps what a process knows of a table
 * by the name. Without batches.
 */
export function asProcess(table: Table, before: BeforeCommand = () => undefined): Table {
  const { client, name } = table;
  processes += 1;
  const alias = `${name}-process-${processes}`;
  const renamed = (action: object) =>
    Object.fromEntries(Object.entries(action).map(([verb, request]) => [verb, { ...request, TableName: name }]));
  const send = async (command: any) => {
    if (command instanceof BatchGetCommand || command instanceof BatchWriteCommand) throw new Error('not supported');
    await before(command);
    if (command instanceof TransactWriteCommand)
      return client.send(
        new TransactWriteCommand({ ...command.input, TransactItems: command.input.TransactItems?.map(renamed) ?? [] }),
      );
    return client.send(new command.constructor({ ...command.input, TableName: name }));
  };
  return { ...table, name: alias, client: { send } as never };
}
