import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { broken } from './engine-errors.ts';

export type Row = readonly SQLOutputValue[];

/** Rows are read as arrays (`setReturnArrays`), which the type of Node does not know. */
const isRow = (row: unknown): row is Row => Array.isArray(row);

/**
 * Makes the names of new files in a folder durable. Windows has no such call: NTFS logs its changes of folders.
 * https://learn.microsoft.com/windows-server/storage/file-server/ntfs-overview
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * SQLite in a file, or in memory. All work is synchronous, but a write is not on the disk when it is made: `durable`
 * resolves when everything that was written before is. One sync, in a thread of its own, serves all who wait.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Descriptor of the write-ahead log; undefined in memory. */
  readonly #log: number | undefined;
  /** Numbers of transactions. */
  #written = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;
  #failure: unknown;

  /** @throws an error of SQLite or of the system. */
  constructor(file?: string) {
    this.#database = new DatabaseSync(file ?? ':memory:');
    try {
      this.#database.exec('PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
      if (file === undefined) return;
      // NORMAL: SQLite syncs the log before it copies pages from it to the file. Between these, `durable` does.
      this.#database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      // The first write makes the log, and the checkpoint makes the file a database, before anything is acknowledged.
      this.#database.exec('BEGIN IMMEDIATE; PRAGMA user_version = 1; COMMIT; PRAGMA wal_checkpoint(PASSIVE)');
      this.#log = openSync(`${file}-wal`, 'r+');
      fsyncSync(this.#log);
      syncFolder(dirname(file));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** @throws DynamoDbError, also below. */
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    try {
      const row: unknown = this.#statement(sql).get(...values);
      return isRow(row) ? row : undefined;
    } catch (error) {
      throw broken(error);
    }
  }

  all(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    try {
      const rows: unknown[] = this.#statement(sql).all(...values);
      return rows.filter(isRow);
    } catch (error) {
      throw broken(error);
    }
  }

  /** Reads rows until `take` returns false. */
  each(sql: string, values: readonly SQLInputValue[], take: (row: Row) => boolean): void {
    try {
      const rows: Iterable<unknown> = this.#statement(sql).iterate(...values);
      for (const row of rows) if (isRow(row) && !take(row)) return;
    } catch (error) {
      throw broken(error);
    }
  }

  /** For a statement that is used once. */
  exec(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw broken(error);
    }
  }

  run(sql: string, ...values: readonly SQLInputValue[]): number {
    try {
      return Number(this.#statement(sql).run(...values).changes);
    } catch (error) {
      throw broken(error);
    }
  }

  /** Makes all writes of the work, which is synchronous, or none. */
  transaction<T>(work: () => T): T {
    this.refuseAfterFailure();
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      this.#written += 1;
      return result;
    } catch (error) {
      // SQLite has ended the transaction itself after some errors, such as a full disk.
      if (this.#database.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /**
   * The writes that a failed sync has lost are unknown, and the next sync reports nothing. So the database is in no use until
   * the next start, which reads the disk. https://www.usenix.org/conference/atc20/presentation/rebello
   *
   * @throws DynamoDbError after a failed sync.
   */
  refuseAfterFailure(): void {
    if (this.#failure !== undefined) throw broken(this.#failure);
  }

  get isDurable(): boolean {
    return this.#log === undefined || this.#synced === this.#written;
  }

  /** Resolves when everything that is written now is on the disk. */
  async durable(): Promise<void> {
    const wanted = this.#written;
    while (!this.isDurable && this.#synced < wanted) {
      this.refuseAfterFailure();
      // A sync that is under way may have begun before the last write.
      this.#syncing ??= this.#sync().finally(() => (this.#syncing = undefined));
      await this.#syncing;
    }
  }

  #sync(): Promise<void> {
    const [written, log] = [this.#written, this.#log];
    return new Promise((resolve, reject) => {
      if (log === undefined) resolve();
      else
        fdatasync(log, (error) => {
          if (error === null) {
            this.#synced = written;
            resolve();
            return;
          }
          this.#failure = new Error(`sync failed: ${error.message}`);
          reject(broken(this.#failure));
        });
    });
  }

  /** Waits for the disk and copies the log to the file. */
  async close(): Promise<void> {
    if (!this.#database.isOpen) return;
    await this.durable().catch(() => undefined);
    this.#statements.clear();
    this.#database.close();
    if (this.#log !== undefined) closeSync(this.#log);
  }
}
