import * as z from 'zod/mini';
import { DynamoDbError } from '../../../shared/db/table-errors.ts';
import type { Database } from './database.ts';
import { Rows, type TableSchema } from './rows.ts';

const keyNamesSchema = z.object({ partition: z.string(), sort: z.string() });
const tableSchema = z.object({ name: z.string(), key: keyNamesSchema, indexes: z.record(z.string(), keyNamesSchema) });

/** The tables in a database. */
export class Tables {
  readonly #database: Database;
  readonly #tables = new Map<string, Rows>();

  constructor(database: Database) {
    this.#database = database;
    database.exec('CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT');
    for (const [definition] of database.all('SELECT definition FROM tables')) {
      const schema = z.parse(tableSchema, JSON.parse(String(definition)));
      this.#tables.set(schema.name, new Rows(database, schema));
    }
  }

  /** @throws DynamoDbError when there is no such table. */
  get(name: string): Rows {
    const rows = this.#tables.get(name);
    if (rows !== undefined) return rows;
    throw new DynamoDbError('ResourceNotFoundException', {
      message: `Requested resource not found: Table: ${name} not found`,
    });
  }

  get all(): Rows[] {
    return [...this.#tables.values()];
  }

  /** @throws DynamoDbError when the table exists. */
  create(schema: TableSchema): Rows {
    if (this.#tables.has(schema.name))
      throw new DynamoDbError('ResourceInUseException', { message: `Table already exists: ${schema.name}` });
    const rows = new Rows(this.#database, schema);
    this.#database.transaction(() => {
      rows.create();
      this.#database.run('INSERT INTO tables VALUES (?, ?)', schema.name, JSON.stringify(schema));
    });
    this.#tables.set(schema.name, rows);
    return rows;
  }
}
