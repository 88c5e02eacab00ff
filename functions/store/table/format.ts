import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../../../shared/core/errors.ts';
import { isAtMost, orAbsent } from '../../../shared/db/conditions.ts';
import type { Send } from '../../../shared/db/client.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { formatKey, TABLE_FORMAT } from './keys.ts';
import { readItem } from './read.ts';

/** The table has a newer format than this version can read. The message is for the operator. */
export class TableFormatError extends ApiError {
  constructor(tableFormat: unknown, format: number, cause?: unknown) {
    const message = `The table has format ${String(tableFormat)}, and this version reads formats up to ${format}. Use a newer version.`;
    super('unavailable', message, { cause });
  }
}

/** @throws TableFormatError */
function requireReadable(item: Item | undefined): void {
  const tableFormat = item?.['format'] ?? 0;
  if (!(Number(tableFormat) <= TABLE_FORMAT)) throw new TableFormatError(tableFormat, TABLE_FORMAT);
}

/** @throws TableFormatError when the table has a newer format. */
export async function checkTableFormat(table: Table): Promise<void> {
  requireReadable(await readItem(table, formatKey));
}

/**
 * The table whose format is checked before the first call: a process of this version may begin beside a newer version, or
 * after it. One strongly consistent read in the life of a process. The call after a failed check checks again.
 */
export function formatCheckedFirst(table: Table): Table {
  let checked: Promise<void> | undefined;
  const check = async (next: Send) => {
    const command = new GetCommand({ TableName: table.name, Key: formatKey, ConsistentRead: true });
    requireReadable((await next({ operation: 'GetItem', input: { ...command.input }, command })).Item);
  };
  table.client.use((next) => async (call) => {
    checked ??= check(next).catch((error: unknown) => {
      checked = undefined;
      // The call itself finds other faults of the table. New rights need seconds to apply after a deployment.
      if (error instanceof TableFormatError) throw error;
    });
    await checked;
    return next(call);
  });
  return table;
}

/**
 * Records the format in the table, unless it is recorded.
 *
 * @throws TableFormatError when the table has a newer one. Then nothing has changed.
 */
export async function claimTableFormat(table: Table, format = TABLE_FORMAT): Promise<void> {
  const { refusal } = await writeItem(table, {
    put: { ...formatKey, format },
    condition: orAbsent(isAtMost('format', format)),
  });
  if (refusal !== undefined) throw new TableFormatError(refusal.Item?.['format'], format, refusal);
}
