import type { Item } from '../../shared/db/item.ts';
import type { Table } from '../../shared/db/table.ts';
import { ConditionalCheckFailedException, TransactionCanceledException } from '../../shared/db/table-errors.ts';
import { itemBytes } from './item-size.ts';

/** One call of the table, as it was sent and charged. */
export interface TableCall {
  /** `GetItem`, `Query`, `TransactWriteItems` ... */
  operation: string;
  input: Record<string, unknown>;
  /** 1 for a call that waited for no other one; calls in flight at the same time share a step. */
  step: number;
  /** Capacity units, of the table and its indexes together. */
  units: number;
  /**
   * Write units of a refused write, which DynamoDB bills but no engine reports: those of the stored item, and for a
   * transaction twice those of each item, without indexes.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
   */
  refusedUnits: number;
}

interface ConsumedCapacity {
  CapacityUnits?: number;
}

/** Operations that the table charges write units for; all others read. */
const WRITES: readonly string[] = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

export const isWrite = ({ operation }: TableCall) => WRITES.includes(operation);

/** 1 KB is a unit. */
const writeUnitsOf = (item: Item = {}) => Math.max(1, Math.ceil(itemBytes(item) / 1024));

function refusedUnitsOf(input: Record<string, unknown>, error: unknown): number {
  if (error instanceof ConditionalCheckFailedException) return writeUnitsOf(error.Item);
  if (!(error instanceof TransactionCanceledException)) return 0;
  const items = (input['TransactItems'] ?? []) as { Put?: { Item: Item } }[];
  return items.reduce((sum, { Put }) => sum + 2 * writeUnitsOf(Put?.Item), 0);
}

export interface Meter {
  /** The calls that are made while this work is under way. */
  during: (work: () => Promise<unknown>) => Promise<TableCall[]>;
}

/** Counts what goes through the client of a table from now on: put into the client, so that nothing passes by it. */
export function meter({ client }: Table): Meter {
  let calls: TableCall[] = [];
  let ended = 0;
  client.use((next) => async (called) => {
    const { operation, input } = called;
    const call: TableCall = { operation, input, step: ended + 1, units: 0, refusedUnits: 0 };
    calls.push(call);
    const output = await next({ ...called, input: { ...input, ReturnConsumedCapacity: 'INDEXES' } })
      .catch((error: unknown) => {
        call.refusedUnits = refusedUnitsOf(input, error);
        throw error;
      })
      .finally(() => (ended = Math.max(ended, call.step)));
    const charged = (output.ConsumedCapacity ?? []) as ConsumedCapacity | ConsumedCapacity[];
    call.units = [charged].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
    return output;
  });
  return {
    async during(work) {
      const made: TableCall[] = [];
      calls = made;
      ended = 0;
      await work();
      calls = [];
      return made;
    },
  };
}
