import { type CancellationReason, TransactionCanceledException } from '../../shared/db/table-errors.ts';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { nameOfKey } from '../../functions/store/table/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { turnOfTheLoop } from './manual-clock.ts';
import { withSend } from './table.ts';

/** What happened at the table. */
export interface ContendedTable {
  table: Table;
  /** Number of transactions that were refused because of others. */
  refused: () => number;
  /** Number of committed transactions by the item that they wrote or checked. */
  written: ReadonlyMap<string, number>;
}

type Action = NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>[number];

const itemOf = ({ Put, Update, Delete, ConditionCheck }: Action) =>
  nameOfKey((Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {}) as Record<string, unknown>);

/**
 * The table with DynamoDB's rule for concurrent transactions, which the embedded engine lacks: a transaction is refused
 * if another one that is in progress contains one of its items.
 *
 * @param turns how long a transaction is in progress at least, in turns of the event loop.
 */
export function withConflicts(table: Table, turns: number): ContendedTable {
  const { client } = table;
  const inProgress = new Set<string>();
  const written = new Map<string, number>();
  let refused = 0;
  const send = async (command: any) => {
    if (!(command instanceof TransactWriteCommand)) return client.send(command);
    const items = (command.input.TransactItems ?? []).map(itemOf);
    if (items.some((item) => inProgress.has(item))) {
      refused += 1;
      throw new TransactionCanceledException({
        message: 'conflict',
        CancellationReasons: items.map((item): CancellationReason => ({
          Code: inProgress.has(item) ? 'TransactionConflict' : 'None',
        })),
      });
    }
    for (const item of items) inProgress.add(item);
    try {
      const reply = await client.send(command);
      for (let turn = 0; turn < turns; turn += 1) await turnOfTheLoop();
      for (const item of items) written.set(item, (written.get(item) ?? 0) + 1);
      return reply;
    } finally {
      for (const item of items) inProgress.delete(item);
    }
  };
  return { table: withSend(table, send), refused: () => refused, written };
}
