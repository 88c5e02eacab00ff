import type { SQLInputValue } from 'node:sqlite';
import type { Item } from '../../../shared/db/item.ts';
import type { Database, Row } from './database.ts';
import { invalid, invalidParameter } from './engine-errors.ts';
import type { KeyNames, KeyRange } from './key-range.ts';
import { compareTexts, decode, encode, type EncodedItem } from './values.ts';

export interface TableSchema {
  name: string;
  key: KeyNames;
  indexes: Readonly<Record<string, KeyNames>>;
}

/** An item of the table. */
export interface StoredItem {
  item: Item;
  bytes: number;
}

/** The values of the partition key and the sort key. */
export type KeyValues = readonly [string, string];

/** An item that can be stored. */
export interface NewItem extends StoredItem, EncodedItem {
  key: KeyValues;
}

/** Gets the stored text of an item and its bytes. @returns false: no more. */
export type Take = (text: string, bytes: number) => boolean;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_ITEM_BYTES = 400 * 1024;
const MAX_PARTITION_BYTES = 2048;
const MAX_SORT_BYTES = 1024;

/** The attribute by which DynamoDB deletes items: seconds since 1970. */
const TTL = 'ttl';

/** Up to this number of rows, one call of SQLite is cheaper than a call for each. */
const MAX_ROWS_AT_ONCE = 1000;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const exceeds = (text: string, bytes: number) => text.length * 3 > bytes && Buffer.byteLength(text) > bytes;

const textIn = (value: Row[number] | undefined) => (typeof value === 'string' ? value : '');

/** A value of a key at which a page ended. */
function textAt(start: Item, name: string): string {
  const value = start[name];
  if (typeof value === 'string') return value;
  throw invalid('The provided starting key is invalid');
}

function refuseOutside({ partition, from, to }: KeyRange, start: KeyNames): void {
  const isInside =
    start.partition === partition &&
    (from === undefined || compareTexts(start.sort, from.value) >= 0) &&
    (to === undefined || compareTexts(start.sort, to.value) <= 0);
  if (!isInside) throw invalid('The provided starting key is outside query boundaries based on provided conditions');
}

/**
 * The items of one table: the keys, the attributes of indexes and the time to live in columns, the whole item as JSON. Texts
 * are compared as bytes of UTF-8, by SQLite as by DynamoDB.
 */
export class Rows {
  readonly schema: TableSchema;
  readonly #database: Database;
  readonly #table: string;
  /** The columns of attributes that are keys of the table or of an index. */
  readonly #columns: ReadonlyMap<string, string>;
  /** Attributes of indexes that are no keys of the table. */
  readonly #indexed: readonly string[];
  readonly #sql: { put: string; get: string; delete: string };

  constructor(database: Database, schema: TableSchema) {
    const { partition, sort } = schema.key;
    this.schema = schema;
    this.#database = database;
    this.#table = quoted(`table ${schema.name}`);
    const attributes = new Set(Object.values(schema.indexes).flatMap((key) => [key.partition, key.sort]));
    this.#indexed = [...attributes].filter((name) => name !== partition && name !== sort);
    this.#columns = new Map([
      [partition, 'pk'],
      [sort, 'sk'],
      ...this.#indexed.map((name) => [name, quoted(`a_${name}`)] as const),
    ]);
    const columns = ['pk', 'sk', 'bytes', 'ttl', 'item', ...this.#indexed.map((name) => this.#column(name))];
    const places = columns.map(() => '?').join(', ');
    const byKey = `FROM ${this.#table} WHERE pk = ? AND sk = ?`;
    this.#sql = {
      put: `INSERT OR REPLACE INTO ${this.#table} (${columns.join(', ')}) VALUES (${places})`,
      get: `SELECT item, bytes ${byKey}`,
      delete: `DELETE ${byKey}`,
    };
  }

  #column(name: string): string {
    return this.#columns.get(name) ?? '';
  }

  create(): void {
    const columns = this.#indexed.map((name) => `, ${this.#column(name)} TEXT`).join('');
    this.#database.exec(
      `CREATE TABLE ${this.#table} (pk TEXT NOT NULL, sk TEXT NOT NULL, bytes INTEGER NOT NULL, ttl INTEGER, item TEXT NOT NULL${columns}, PRIMARY KEY (pk, sk)) STRICT, WITHOUT ROWID`,
    );
    const createIndex = (name: string, columnsOfIndex: readonly string[], needed: readonly string[]) =>
      this.#database.exec(
        `CREATE INDEX ${quoted(name)} ON ${this.#table} (${columnsOfIndex.join(', ')}) WHERE ${needed.map((column) => `${column} IS NOT NULL`).join(' AND ')}`,
      );
    for (const [name, key] of Object.entries(this.schema.indexes)) {
      const both = [this.#column(key.partition), this.#column(key.sort)];
      createIndex(`index ${this.schema.name} ${name}`, [...both, 'pk', 'sk'], both);
    }
    createIndex(`ttl ${this.schema.name}`, ['ttl'], ['ttl']);
  }

  /** The values in a `Key`. @throws DynamoDbError for other attributes or types. */
  keyOf(key: Item): KeyValues {
    const { partition, sort } = this.schema.key;
    const values = [key[partition], key[sort]].map((value) => {
      if (typeof value === 'string') return value;
      throw invalid('The provided key element does not match the schema');
    });
    if (Object.values(key).filter((value) => value !== undefined).length !== values.length)
      throw invalid('The provided key element does not match the schema');
    return this.#checkedKey(values);
  }

  #checkedKey([partition = '', sort = '']: readonly string[]): KeyValues {
    if (partition === '' || sort === '')
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${partition === '' ? this.schema.key.partition : this.schema.key.sort}`,
      );
    if (exceeds(partition, MAX_PARTITION_BYTES))
      throw invalidParameter(`Size of hashkey has exceeded the maximum size limit of ${MAX_PARTITION_BYTES} bytes`);
    if (exceeds(sort, MAX_SORT_BYTES))
      throw invalidParameter(
        `Aggregated size of all range keys has exceeded the size limit of ${MAX_SORT_BYTES} bytes`,
      );
    return [partition, sort];
  }

  /** @throws DynamoDbError for an attribute of an index that DynamoDB refuses. */
  #checkIndexes(item: Item): void {
    for (const [index, { partition, sort }] of Object.entries(this.schema.indexes))
      for (const [name, most] of [
        [partition, MAX_PARTITION_BYTES],
        [sort, MAX_SORT_BYTES],
      ] as const) {
        const value = item[name];
        if (value === undefined) continue;
        if (typeof value !== 'string')
          throw invalidParameter(
            `Type mismatch for Index Key ${name} Expected: S Actual: ${typeof value} IndexName: ${index}`,
          );
        if (value === '')
          throw invalid(
            `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
          );
        if (exceeds(value, most))
          throw invalidParameter(`Size of index key ${name} has exceeded the maximum size limit of ${most} bytes`);
      }
  }

  /** @throws DynamoDbError for an item that DynamoDB refuses. */
  newItem(item: Item): NewItem {
    const { partition, sort } = this.schema.key;
    const values = [partition, sort].map((name) => {
      const value = item[name];
      if (typeof value === 'string') return value;
      throw invalidParameter(
        value === undefined
          ? `Missing the key ${name} in the item`
          : `Type mismatch for key ${name} expected: S actual: ${typeof value}`,
      );
    });
    const key = this.#checkedKey(values);
    this.#checkIndexes(item);
    const { bytes, text } = encode(item);
    if (bytes > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
    return { key, item, bytes, text };
  }

  get(key: KeyValues): StoredItem | undefined {
    const row = this.#database.get(this.#sql.get, ...key);
    return row && { item: decode(textIn(row[0])), bytes: Number(row[1]) };
  }

  put({ key, item, bytes, text }: NewItem): void {
    const ttl = item[TTL];
    const indexed = this.#indexed.map((name) => {
      const value = item[name];
      return typeof value === 'string' ? value : null;
    });
    const seconds = typeof ttl === 'number' ? Math.floor(ttl) : null;
    this.#database.run(this.#sql.put, ...key, bytes, seconds, text, ...indexed);
  }

  delete(key: KeyValues): void {
    this.#database.run(this.#sql.delete, ...key);
  }

  /** Deletes items whose time to live has ended, at most this many. @returns their number. */
  deleteExpired(seconds: number, most: number): number {
    return this.#database.run(
      `DELETE FROM ${this.#table} WHERE (pk, sk) IN (SELECT pk, sk FROM ${this.#table} WHERE ttl < ? ORDER BY ttl LIMIT ?)`,
      seconds,
      most,
    );
  }

  /** @param index undefined: the table. */
  keyNamesOf(index: string | undefined): KeyNames {
    const key = index === undefined ? this.schema.key : this.schema.indexes[index];
    if (key === undefined) throw invalid(`The table does not have the specified index: ${String(index)}`);
    return key;
  }

  /** The key at which a page ends: that of the table, and that of the index. */
  positionOf(item: Item, index: string | undefined): Item {
    const names = [this.schema.key, this.keyNamesOf(index)].flatMap(({ partition, sort }) => [partition, sort]);
    return Object.fromEntries(names.map((name) => [name, item[name]]));
  }

  /** The key at which the page before ended. @throws DynamoDbError when it has other attributes. */
  #startOf(start: Item, index: string | undefined): Item {
    const position = this.positionOf(start, index);
    if (Object.keys(start).every((name) => name in position)) return position;
    throw invalid('The provided starting key is invalid');
  }

  /** Reads a range in its order. */
  query(
    {
      index,
      range,
      start,
      isForward,
      limit = Infinity,
    }: {
      index: string | undefined;
      range: KeyRange;
      /** Where the page before ended. */
      start: Item | undefined;
      isForward: boolean;
      limit: number | undefined;
    },
    take: Take,
  ): void {
    const { partition, from, to } = range;
    const key = this.keyNamesOf(index);
    const sort = this.#column(key.sort);
    // Items with equal keys in an index are in the order of their own keys.
    const names = index === undefined ? [key.sort] : [key.sort, this.schema.key.partition, this.schema.key.sort];
    const order = names.map((name) => this.#column(name));
    const conditions = [`${this.#column(key.partition)} = ?`];
    const values: SQLInputValue[] = [partition];
    const add = (condition: string, ...more: readonly SQLInputValue[]) => {
      conditions.push(condition);
      values.push(...more);
    };
    // Without this condition SQLite does not use the index.
    if (index !== undefined) add(`${sort} IS NOT NULL`);
    if (start !== undefined) {
      const position = this.#startOf(start, index);
      refuseOutside(range, { partition: textAt(position, key.partition), sort: textAt(position, key.sort) });
      const place = `(${order.map(() => '?').join(', ')})`;
      add(`(${order.join(', ')}) ${isForward ? '>' : '<'} ${place}`, ...names.map((name) => textAt(position, name)));
    }
    // Of two bounds on one side SQLite may seek the wrong one, and would read all pages before this one again.
    if (from !== undefined && !(isForward && start !== undefined))
      add(`${sort} ${from.isOpen ? '>' : '>='} ?`, from.value);
    if (to !== undefined && (isForward || start === undefined)) add(`${sort} ${to.isOpen ? '<' : '<='} ?`, to.value);
    const direction = order.map((column) => (isForward ? column : `${column} DESC`)).join(', ');
    this.#read(`WHERE ${conditions.join(' AND ')} ORDER BY ${direction}`, values, limit, take);
  }

  /** Reads all items in the order of their keys. @param start where the page before ended. */
  scan(start: Item | undefined, limit: number | undefined, take: Take): void {
    const values = start === undefined ? [] : this.keyOf(this.#startOf(start, undefined));
    this.#read(
      `${start === undefined ? '' : 'WHERE (pk, sk) > (?, ?) '}ORDER BY pk, sk`,
      values,
      limit ?? Infinity,
      take,
    );
  }

  #read(clauses: string, values: readonly SQLInputValue[], limit: number, take: Take): void {
    const sql = `SELECT item, bytes FROM ${this.#table} ${clauses}`;
    const takeRow = ([text, bytes]: Row) => take(textIn(text), Number(bytes));
    if (limit <= MAX_ROWS_AT_ONCE) this.#database.all(`${sql} LIMIT ?`, ...values, limit).every(takeRow);
    else this.#database.each(sql, values, takeRow);
  }
}
