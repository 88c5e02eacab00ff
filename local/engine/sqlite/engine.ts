import type { Output } from '../../../shared/db/client.ts';
import { DynamoDbError } from '../../../shared/db/table-errors.ts';
import { type EngineCall, isEngineCall } from './calls.ts';
import { Database } from './database.ts';
import { broken } from './engine-errors.ts';
import type { KeyNames } from './key-range.ts';
import { Reads } from './reads.ts';
import type { TableSchema } from './rows.ts';
import { Tables } from './tables.ts';
import { Turns } from './turns.ts';
import { Writes } from './writes.ts';

function keyNamesIn(schema: readonly { AttributeName: string; KeyType: string }[]): KeyNames {
  const name = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '';
  return { partition: name('HASH'), sort: name('RANGE') };
}

/** DynamoDB in this process, as far as this service uses it, with its data in a file or in memory. */
export class SqliteEngine {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #reads: Reads;
  readonly #writes: Writes;
  readonly #turns = new Turns();
  #isClosed = false;

  /** @throws an error of SQLite or of the system. */
  constructor(file?: string) {
    this.#database = new Database(file);
    this.#tables = new Tables(this.#database);
    this.#reads = new Reads(this.#tables);
    this.#writes = new Writes(this.#database, this.#tables);
  }

  /**
   * Input and output have plain values. When this resolves, the disk has everything that the call wrote or read: nobody sees
   * what a loss of power could take back.
   *
   * @throws DynamoDbError
   */
  async call(call: { operation: string; input: object }): Promise<Output> {
    if (!isEngineCall(call))
      throw new DynamoDbError('UnknownOperationException', { message: `${call.operation} is not supported` });
    return this.#durably(() => this.#dispatch(call));
  }

  /**
   * Deletes items of all tables whose time to live has ended, at most this many of each.
   *
   * @returns whether there may be more.
   */
  deleteExpired(now: Date, most: number): Promise<boolean> {
    const seconds = Math.floor(now.getTime() / 1000);
    return this.#durably(() =>
      this.#database.transaction(() =>
        this.#tables.all.map((rows) => rows.deleteExpired(seconds, most)).some((count) => count === most),
      ),
    );
  }

  async #durably<T>(work: () => T): Promise<T> {
    const result = await this.#turns.run(() => {
      if (this.#isClosed) throw broken(new Error('the engine is closed'));
      this.#database.refuseAfterFailure();
      return work();
    });
    if (!this.#database.isDurable) await this.#database.durable();
    return result;
  }

  #dispatch({ operation, input }: EngineCall): Output {
    switch (operation) {
      case 'GetItem':
        return this.#reads.get(input);
      case 'BatchGetItem':
        return this.#reads.batchGet(input);
      case 'Query':
        return this.#reads.query(input);
      case 'Scan':
        return this.#reads.scan(input);
      case 'PutItem':
        return this.#writes.put(input);
      case 'UpdateItem':
        return this.#writes.update(input);
      case 'DeleteItem':
        return this.#writes.delete(input);
      case 'BatchWriteItem':
        return this.#writes.batchWrite(input);
      case 'TransactWriteItems':
        return this.#writes.transactWrite(input);
      case 'DescribeTable':
        return { Table: describe(this.#tables.get(input.TableName).schema) };
      case 'CreateTable': {
        const indexes = (input.GlobalSecondaryIndexes ?? []).map(
          ({ IndexName, KeySchema }) => [IndexName, keyNamesIn(KeySchema)] as const,
        );
        const schema = {
          name: input.TableName,
          key: keyNamesIn(input.KeySchema),
          indexes: Object.fromEntries(indexes),
        };
        return { Table: describe(this.#tables.create(schema).schema) };
      }
    }
  }

  /** Calls that wait fail. May be called repeatedly. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#database.close();
  }
}

/** As far as the service reads it. */
const describe = ({ name }: TableSchema) => ({ TableName: name, TableStatus: 'ACTIVE' });
