import type { Table } from '../../shared/db/table.ts';
import type { SqliteEngine } from './sqlite/engine.ts';

export interface Engine {
  /** A table of this engine, which may not exist yet (`ensureTable`). */
  readonly open: (name: string) => Table;
  /** The engine in this process; undefined: another program has the data, at DYNAMODB_ENDPOINT. */
  readonly embedded?: SqliteEngine;
  /** Stops the engine and releases the data folder. May be called repeatedly. */
  stop(): Promise<void>;
}
