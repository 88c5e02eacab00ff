import { isAtMost, orAbsent } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { formatKey, TABLE_FORMAT } from './keys.ts';
import { readItem } from './read.ts';

/** The table has a newer format than this version can read. The message is for the operator. */
export class TableFormatError extends Error {}

const refused = (found: unknown, format: number, cause?: unknown) =>
  new TableFormatError(
    `The table has format ${String(found)}, and this version reads formats up to ${format}. Use the version that wrote the table, or a newer one.`,
    { cause },
  );

/** @throws TableFormatError when the table has a newer format. */
export async function checkTableFormat(table: Table): Promise<void> {
  const found = (await readItem(table, formatKey))?.['format'] ?? 0;
  if (!(Number(found) <= TABLE_FORMAT)) throw refused(found, TABLE_FORMAT);
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
  if (refusal !== undefined) throw refused(refusal.Item?.['format'], format, refusal);
}
