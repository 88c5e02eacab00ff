import { DynamoDbError } from '../../shared/db/table-errors.ts';
import type { Fault } from '../../shared/db/table-fault.ts';
import { databaseFaults } from './database-faults.ts';

const full: Fault = {
  name: 'disk_full',
  problem: 'The disk of the data folder is full.',
  remedy: 'Free space on it. No restart is required.',
};

const ioError: Fault = {
  name: 'disk_error',
  problem: 'The disk of the data folder cannot be read or written.',
  remedy: 'Check it, its quota and the file size limit of the server. No restart is required.',
};

const readOnly: Fault = {
  name: 'database_read_only',
  problem: 'The database file cannot be written.',
  remedy: 'Correct its mode and owner, or the mount of its disk, and restart the server.',
};

/**
 * Messages of SQLite, which the engine passes on: https://github.com/sqlite/sqlite/blob/master/src/main.c,
 * sqlite3ErrStr.
 */
const byText: readonly (readonly [RegExp, Fault])[] = [
  [/database or disk is full/i, full],
  [/disk I\/O error/i, ioError],
  [/disk image is malformed|file is not a database/i, databaseFaults.damaged],
  [/readonly database|unable to open database file/i, readOnly],
];

/** The fault of the embedded engine's files; undefined for other errors. */
export function engineFault(error: unknown): Fault | undefined {
  if (!(error instanceof DynamoDbError) || error.status < 500) return undefined;
  return byText.find(([text]) => text.test(error.message))?.[1];
}
