import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Random } from '../consistency/random.ts';

/** Texts around the limits of UTF-8 and UTF-16. */
const texts = ['', 'a', 'A', 'b', 'ab', 'ä', 'zwölf', '\u{1f600}', '\uffee', '~', '0', '10', '9', 'a\u0000b'];
const keyTexts = ['k', 'K', 'ä', '\u{1f600}', '\uffee', '10', '9'];
/** Sums of these stay exact: the SDK reads no integer beyond 2^53 as a number, and the embedded engine refuses it. */
const numbers = [0, 1, -1, 1.5, 10, 9, 2 ** 31, 1e-7, 2 ** 52, -12.25];
const attributes = ['a', 'b', 'c', 'list_pk', 'list_sk', 'type_pk', 'ttl'];
const keys = ['pk', 'sk'];
const returned = ['ALL_OLD', 'NONE'] as const;

type Fields = Record<string, unknown>;

/** The names and values of one call. */
class Placeholders {
  readonly #random: Random;
  readonly #names: Record<string, string> = {};
  readonly #values: Fields = {};

  constructor(random: Random) {
    this.#random = random;
  }

  name(name: string): string {
    this.#names[`#n${name}`] = name;
    return `#n${name}`;
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  path(): string {
    const name = this.#random.pick([...attributes, ...keys, 'missing']);
    const path = this.name(name);
    if (keys.includes(name) || name.includes('_')) return path;
    if (this.#random.chance(0.12)) return `${path}.${this.name(this.#random.pick(['x', 'y', 'S']))}`;
    return this.#random.chance(0.05) ? `${path}[${this.#random.below(2)}]` : path;
  }

  get fields(): Fields {
    return {
      ...(Object.keys(this.#names).length > 0 ? { ExpressionAttributeNames: this.#names } : {}),
      ...(Object.keys(this.#values).length > 0 ? { ExpressionAttributeValues: this.#values } : {}),
    };
  }
}

/** Random calls of a table with the indexes of the service: few keys, so that conditions are met and not met. */
export class RandomCalls {
  readonly #random: Random;
  readonly #table: { TableName: string };
  #token = `${randomUUID()}-0`;

  constructor(random: Random, TableName: string) {
    this.#random = random;
    this.#table = { TableName };
  }

  #value(depth = 0): unknown {
    const random = this.#random;
    const kinds: (() => unknown)[] = [
      () => random.pick(texts),
      () => random.pick(texts),
      () => random.pick(numbers),
      () => random.pick([true, false, null]),
      () => Buffer.from(random.pick(['x', 'abc', '\u00ff'])),
      () => random.below(4),
      () => Array.from({ length: random.below(3) }, () => this.#value(depth + 1)),
      () =>
        Object.fromEntries(
          Array.from({ length: random.below(3) }, () => [
            random.pick(['x', 'y', 'S', 'B', 'constructor']),
            this.#value(depth + 1),
          ]),
        ),
    ];
    return random.pick(depth > 2 ? kinds.slice(0, 6) : kinds)();
  }

  #keyText = (): string => this.#random.pick(keyTexts);
  #key = () => ({ pk: this.#random.pick(['p', 'q']), sk: this.#keyText() });

  #item(): Fields {
    const item: Fields = this.#key();
    for (const name of attributes) {
      if (!this.#random.chance(0.4)) continue;
      if (!name.includes('_')) item[name] = this.#value();
      else item[name] = this.#random.chance(0.02) ? this.#random.pick([1, '']) : this.#keyText();
    }
    if (item['list_pk'] !== undefined && this.#random.chance(0.97)) item['list_pk'] = 'L';
    return item;
  }

  #condition(of: Placeholders, depth = 0): string {
    const random = this.#random;
    const operand = () => of.value(random.chance(0.5) ? this.#keyText() : this.#value());
    const comparator = () => random.pick(['=', '<>', '<', '<=', '>', '>=']);
    const compared = () => `${of.path()} ${comparator()} ${random.chance(0.8) ? operand() : of.path()}`;
    const inner = () => `(${this.#condition(of, depth + 1)})`;
    const kinds = [
      () => `attribute_exists(${of.path()})`,
      () => `attribute_not_exists(${of.path()})`,
      () => `${of.path()} BETWEEN ${of.value(1)} AND ${of.value(5)}`,
      () => `${of.path()} IN (${operand()}, ${operand()})`,
      () => `begins_with(${of.path()}, ${of.value(random.pick(['a', 'k', 'ä']))})`,
      () => `contains(${of.path()}, ${of.value('a')})`,
      () => `size(${of.path()}) > ${of.value(1)}`,
      compared,
      compared,
      () => `NOT ${inner()}`,
      () => `${inner()} ${random.pick(['AND', 'OR'])} ${inner()}`,
      () => `${inner()} ${random.pick(['AND', 'OR'])} ${inner()}`,
    ];
    return random.pick(depth > 2 ? kinds.slice(0, 9) : kinds)();
  }

  /** A condition in half of all calls. */
  #conditioned(of = new Placeholders(this.#random)): Fields {
    if (this.#random.chance(0.5)) return of.fields;
    const ConditionExpression = this.#condition(of);
    return { ConditionExpression, ...of.fields, ReturnValuesOnConditionCheckFailure: this.#random.pick(returned) };
  }

  #update(): Fields {
    const random = this.#random;
    const of = new Placeholders(random);
    const used = new Set<string>();
    const target = (): string => {
      const name = random.pick(random.chance(0.02) ? keys : attributes);
      if (used.has(name)) return target();
      used.add(name);
      return of.name(name);
    };
    const values = [
      () => of.value(this.#keyText()),
      () => of.value(this.#value()),
      () => `if_not_exists(${of.path()}, ${of.value(this.#keyText())})`,
      () => `${of.path()} + ${of.value(1)}`,
    ];
    const parts: string[] = [];
    if (random.chance(0.7)) parts.push(`SET ${target()} = ${random.pick(values)()}`);
    if (random.chance(0.4)) parts.push(`REMOVE ${target()}`);
    if (random.chance(0.4) || parts.length === 0) parts.push(`ADD ${target()} ${of.value(random.pick([1, 2, -1]))}`);
    return { UpdateExpression: parts.join(' '), ...this.#conditioned(of) };
  }

  #query(): Fields {
    const random = this.#random;
    const of = new Placeholders(random);
    const [index, partition, sort] = random.pick([
      [undefined, 'pk', 'sk'],
      ['by_name', 'list_pk', 'list_sk'],
      ['by_type', 'type_pk', 'list_sk'],
    ] as const);
    const values = { pk: random.pick(['p', 'q']), list_pk: 'L', type_pk: this.#keyText() };
    const text = () => of.value(this.#keyText());
    const ranges = [
      () => '',
      () => ` AND ${of.name(sort)} ${random.pick(['=', '<', '<=', '>', '>='])} ${text()}`,
      () => ` AND ${of.name(sort)} BETWEEN ${text()} AND ${text()}`,
      () => ` AND begins_with(${of.name(sort)}, ${of.value(random.pick(['k', '1', 'ä']))})`,
    ];
    const condition = `${of.name(partition)} = ${of.value(values[partition])}${random.pick(ranges)()}`;
    const projection = random.chance(0.3) ? [of.name('a'), of.name('b')] : undefined;
    return {
      KeyConditionExpression: condition,
      ...(index === undefined ? {} : { IndexName: index }),
      ...(random.chance(0.3) ? { FilterExpression: this.#condition(of) } : {}),
      ...(projection === undefined ? {} : { ProjectionExpression: projection.join(', ') }),
      ...(projection === undefined && random.chance(0.2) ? { Select: 'COUNT' } : {}),
      ...(random.chance(0.5) ? { Limit: 1 + random.below(4) } : {}),
      ...(random.chance(0.3) ? { ScanIndexForward: false } : {}),
      ...of.fields,
    };
  }

  #action(): Fields {
    const { TableName } = this.#table;
    return this.#random.pick([
      () => ({ Put: { TableName, Item: this.#item(), ...this.#conditioned() } }),
      () => ({ Update: { TableName, Key: this.#key(), ...this.#update() } }),
      () => ({ Delete: { TableName, Key: this.#key(), ...this.#conditioned() } }),
      () => {
        const of = new Placeholders(this.#random);
        const ConditionExpression = this.#condition(of);
        const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
        return {
          ConditionCheck: {
            TableName,
            Key: this.#key(),
            ConditionExpression,
            ...of.fields,
            ReturnValuesOnConditionCheckFailure,
          },
        };
      },
    ])();
  }

  #transaction(): Fields {
    if (this.#random.chance(0.9)) this.#token = randomUUID();
    const TransactItems = Array.from({ length: 1 + this.#random.below(4) }, () => this.#action());
    return { TransactItems, ClientRequestToken: this.#token };
  }

  /** A command of the SDK, made anew for each engine: a client may change its input. */
  next(): () => any {
    const { random, table } = { random: this.#random, table: this.#table };
    const { TableName } = table;
    const maybe = (values: readonly string[]) => (random.chance(0.3) ? { ReturnValues: random.pick(values) } : {});
    const kinds: [number, new (input: never) => unknown, () => Fields][] = [
      [20, PutCommand, () => ({ ...table, Item: this.#item(), ...this.#conditioned(), ...maybe(returned) })],
      [15, UpdateCommand, () => ({ ...table, Key: this.#key(), ...this.#update(), ...maybe(['ALL_NEW', 'ALL_OLD']) })],
      [8, DeleteCommand, () => ({ ...table, Key: this.#key(), ...this.#conditioned(), ...maybe(returned) })],
      [8, GetCommand, () => ({ ...table, Key: this.#key(), ConsistentRead: true })],
      [5, BatchGetCommand, () => ({ RequestItems: { [TableName]: { Keys: this.#keys(), ConsistentRead: true } } })],
      [22, QueryCommand, () => ({ ...table, ...this.#query() })],
      [15, TransactWriteCommand, () => this.#transaction()],
      [4, BatchWriteCommand, () => ({ RequestItems: { [TableName]: this.#requests() } })],
      [3, ScanCommand, () => ({ ...table, ConsistentRead: true })],
    ];
    let left = random.below(kinds.reduce((sum, [weight]) => sum + weight, 0));
    const [, Command, inputOf] = kinds.find(([weight]) => (left -= weight) < 0)!;
    const input = inputOf();
    return () => new Command(structuredClone(input) as never);
  }

  #keys(): Fields[] {
    const all = Array.from({ length: 1 + this.#random.below(5) }, this.#key);
    return this.#random.chance(0.05) ? all : [...new Map(all.map((key) => [JSON.stringify(key), key])).values()];
  }

  #requests = () => [{ PutRequest: { Item: this.#item() } }, { DeleteRequest: { Key: this.#key() } }];
}
