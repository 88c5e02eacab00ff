import { type ManualClock, manualClock, turnOfTheLoop } from './manual-clock.ts';
import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startEngine } from '../../local/engine/engine.ts';
import { ensureTable } from '../../local/engine/table.ts';
import { type Item, type Key, type Table } from '../../shared/db/table.ts';

/** What most functions may read eventually consistent besides the indexes: the heartbeats and their groups. */
const heartbeats = /HEARTBEATS#|HEARTBEAT_GROUP#/;

/** Only the indexes, and items whose keys match, may be read eventually consistent. */
function assertConsistent(
  { constructor: { name }, input }: { constructor: { name: string }; input: any },
  eventual: RegExp,
): void {
  const reads: { ConsistentRead?: boolean; of: unknown }[] =
    name === 'BatchGetCommand'
      ? Object.values(input.RequestItems).map((request: any) => ({ ...request, of: request.Keys }))
      : name === 'GetCommand' || (name === 'QueryCommand' && input.IndexName === undefined)
        ? [{ ...input, of: [input.Key, input.ExpressionAttributeValues] }]
        : [];
  for (const { ConsistentRead, of } of reads)
    if (ConsistentRead !== true && !eventual.test(JSON.stringify(of)))
      throw new Error(`This read must be strongly consistent: ${JSON.stringify(of)}`);
}

/**
 * An empty table in an engine of its own: for tests of the store, which need no endpoint. Refuses reads that are not
 * strongly consistent and have to be, because the engine answers both kinds in the same way.
 *
 * @param eventual the keys of items that may be read eventually consistent.
 * @returns `passing`: the clock of deadlines and intervals, which stands still until the test moves it.
 */
export async function startTable(
  eventual = heartbeats,
  passing = manualClock(),
): Promise<{ table: Table; passing: ManualClock; stop: () => Promise<void> }> {
  const engine = await startEngine({ environment: process.env });
  const { client, name } = engine.open(`store-${randomUUID()}`);
  await ensureTable({ client, name });
  const send = async (command: any) => {
    assertConsistent(command, eventual);
    return client.send(command);
  };
  return {
    table: { name, client: { send } as never, monotonic: passing, backOff: turnOfTheLoop },
    passing,
    stop: () => engine.stop(),
  };
}

/** A table that does not exist: each command gets the reply that the test returns for its name and its input. */
export function fakeTable(reply: (command: string, input: any) => unknown): Table {
  const send = (command: { constructor: { name: string }; input: unknown }) =>
    Promise.resolve().then(() => reply(command.constructor.name, command.input));
  return { name: 't', client: { send } as never, monotonic: manualClock(), backOff: turnOfTheLoop };
}

/** The table with another `send`: a function of the command. Its clock is that of the table. */
export const withSend = (table: Table, send: (command: any) => unknown): Table => ({
  ...table,
  client: { ...table.client, send } as never,
});

/**
 * The same table, with work before the next write: a concurrent change at the worst moment. The work is done once,
 * through the table itself.
 */
export function disturbed(table: Table, meanwhile: () => Promise<unknown>): Table {
  let work: (() => Promise<unknown>) | undefined = meanwhile;
  const send = async (command: any) => {
    const once = /^(TransactWrite|Put|Update|Delete)Command$/.test(command.constructor.name) ? work : undefined;
    if (once !== undefined) {
      work = undefined;
      await once();
    }
    return table.client.send(command);
  };
  return withSend(table, send);
}

/** The table; before the transaction of this number, the first being 1, `work` runs. */
export function disturbedBefore(table: Table, transaction: number, work: () => Promise<unknown>): Table {
  let count = 0;
  const send = async (command: any) => {
    if (command.constructor.name === 'TransactWriteCommand') {
      count += 1;
      if (count === transaction) await work();
    }
    return table.client.send(command);
  };
  return withSend(table, send);
}

/** Deletes every item. */
export async function clear({ client, name }: Table): Promise<void> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }));
  for (const { pk, sk } of Items) await client.send(new DeleteCommand({ TableName: name, Key: { pk, sk } }));
}

export async function itemAt({ client, name }: Table, Key: Key): Promise<Item | undefined> {
  return (await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }))).Item;
}

export async function putItem({ client, name }: Table, Item: Item): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item }));
}
