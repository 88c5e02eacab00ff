import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { writeCheckKey } from '../../functions/store/table/keys.ts';
import type { DynamoDbCall, Output, Send } from '../../shared/db/client.ts';
import { monotonicMs } from '../../shared/core/monotonic-clock.ts';
import type { Table } from '../../shared/db/table.ts';
import { TableFault } from '../../shared/db/table-fault.ts';
import { DATABASE_FILE } from './make-data-folder.ts';
import { databaseFaults } from './database-faults.ts';
import { engineFault } from './engine-faults.ts';

/** The least time between two checks of whether the table can be written, however many are requested. */
const CHECK_MS = 1000;

/**
 * After a failed write, a check must write as much as the largest transaction (4 MB): on a full disk, smaller writes still
 * succeed where the engine has space left in its files. An item has at most 400 kB.
 */
const LARGE_CHECK = { bytes: 384 * 1024, times: 11 };

/** Identifies a file independently of its name; undefined when it does not exist. */
function identityOf(file: string): string | undefined {
  const { dev, ino } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  return ino === undefined ? undefined : `${dev} ${ino}`;
}

const filesIn = (dataDir: string) => [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => join(dataDir, name));

/** The size of the database and its log. */
export const databaseBytes = (dataDir: string): number =>
  filesIn(dataDir).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);

const isRead = ({ operation }: DynamoDbCall) => ['GetItem', 'BatchGetItem', 'Query'].includes(operation);

/** The files of the embedded engine: whether they are in place and can be written. */
class Storage {
  readonly #table: Table;
  readonly #files: string[];
  readonly #identities = new Map<string, string>();
  #fault: TableFault | undefined;
  /** Found by a write. Until then, reads are answered from the open files: a look at the folder would take a tenth of a read. */
  #isGone = false;
  #checked: { at: number; result: Promise<void> } | undefined;

  constructor(table: Table, dataDir: string) {
    this.#table = table;
    this.#files = filesIn(dataDir);
  }

  /** @throws TableFault when they cannot be used; other errors unchanged. */
  async call(next: Send, call: DynamoDbCall): Promise<Output> {
    if (!isRead(call) || this.#isGone) this.#ensureInPlace();
    try {
      const result = await next(call);
      // The engine still writes to its open files, even if they were deleted; they disappear when it exits. So no write
      // may be acknowledged.
      if (!isRead(call)) this.#ensureInPlace();
      return result;
    } catch (error) {
      const fault = engineFault(error);
      if (fault === undefined) throw error;
      throw this.#remember(new TableFault(fault, error));
    }
  }

  /** @throws TableFault while the files cannot be used. */
  check(): Promise<void> {
    const now = monotonicMs(this.#table);
    if (this.#checked === undefined || now - this.#checked.at > CHECK_MS)
      this.#checked = { at: now, result: this.#write() };
    return this.#checked.result;
  }

  #remember(fault: TableFault): TableFault {
    // A damaged page remains, even if calls for other pages succeed.
    if (this.#fault === undefined) this.#checked = undefined;
    if (this.#fault?.fault !== databaseFaults.damaged.name) this.#fault = fault;
    return fault;
  }

  async #write(): Promise<void> {
    const { client, name } = this.#table;
    const before = this.#fault;
    if (before?.fault === databaseFaults.damaged.name) throw before;
    const { bytes, times } = before === undefined ? { bytes: 0, times: 1 } : LARGE_CHECK;
    const Item = { ...writeCheckKey, padding: 'x'.repeat(bytes) };
    for (let time = 0; time < times; time += 1) await client.send(new PutCommand({ TableName: name, Item }));
    if (this.#fault === before) this.#fault = undefined;
  }

  #ensureInPlace(): void {
    for (const file of this.#files) {
      const identity = identityOf(file);
      const previous = this.#identities.get(file);
      this.#isGone = previous !== undefined && identity !== previous;
      if (this.#isGone) throw new TableFault(databaseFaults.gone);
      if (identity !== undefined) this.#identities.set(file, identity);
    }
  }
}

/** The table of an embedded engine with its files in the data folder; problems with the files become a TableFault. */
export function watchStorage(table: Table, dataDir: string): Table {
  const storage = new Storage(table, dataDir);
  table.client.use((next) => (call) => storage.call(next, call));
  return { ...table, check: () => storage.check() };
}
