import type { Fault } from '../../shared/db/table-fault.ts';

const RESTORE = 'Stop the server and restore the data folder from a backup, see docs/repairs.md.';

/** The faults of the file in which the embedded engine stores the inventory. */
export const databaseFaults = {
  damaged: { name: 'database_damaged', problem: 'The database file is damaged.', remedy: RESTORE },
  gone: {
    name: 'database_gone',
    problem:
      'The database file was removed or replaced while the server was running. The server refuses further writes.',
    remedy: RESTORE,
  },
} as const satisfies Record<string, Fault>;
