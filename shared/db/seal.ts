import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { createHmac, type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto';
import { isRecord, type Item, type Key } from './item.ts';
import type { Table } from './table.ts';
import { equals } from './conditions.ts';
import { conditionFields } from './item-writes.ts';
import { ConditionalCheckFailedException, TransactionCanceledException } from './table-errors.ts';
import type { DynamoDbCall, Output, Send } from './client.ts';

/** The attribute that contains the seal of an item. Readers do not receive it. */
export const SEAL_ATTRIBUTE = 'seal';

export interface Sealing {
  /** Secret of the writer of sealed items: 32 random bytes. An HMAC with a KeyObject takes a tenth of one with bytes. */
  secret: KeyObject;
  /** Which items are sealed. */
  covers: (key: Key) => boolean;
  /** Attributes that grant nothing and change by updates. The seal does not cover them. */
  unsealed: ReadonlySet<string>;
  /** Called with the key of an item that was written or altered by other means, each time it is read. */
  onForged: (key: Key) => void;
}

/** The same string for equal values: the database returns the entries of a map in varying order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(',')}}`;
}

function sealOf(item: Item, { secret, unsealed }: Sealing): string {
  const sealed = Object.entries(item).filter(([name]) => name !== SEAL_ATTRIBUTE && !unsealed.has(name));
  return createHmac('sha256', secret)
    .update(canonical(Object.fromEntries(sealed)))
    .digest('base64url');
}

function isGenuine(item: Item, sealing: Sealing): boolean {
  const claimed = Buffer.from(String(item[SEAL_ATTRIBUTE]));
  const right = Buffer.from(sealOf(item, sealing));
  return claimed.length === right.length && timingSafeEqual(claimed, right);
}

function keyIn(value: unknown): Key | undefined {
  if (!isRecord(value)) return undefined;
  const { pk, sk } = value;
  return typeof pk === 'string' && typeof sk === 'string' ? { pk, sk } : undefined;
}

/** The names of the attributes in an update expression. */
function attributesIn(expression: unknown, names: unknown): string[] {
  const placeholders = new Map(isRecord(names) ? Object.entries(names) : []);
  const words = String(expression).match(/[:#]?[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
  return words
    .filter((word) => !word.startsWith(':') && !/^(SET|REMOVE|ADD|DELETE|if_not_exists|list_append)$/i.test(word))
    .map((word) => {
      const name = placeholders.get(word);
      return typeof name === 'string' ? name : word;
    });
}

/** A write with the seal of the item that it puts. */
function sealedWrite(write: unknown, sealing: Sealing): unknown {
  if (!isRecord(write)) return write;
  const key = keyIn(write['Item']);
  if (key !== undefined && isRecord(write['Item']) && sealing.covers(key))
    return { ...write, Item: { ...write['Item'], [SEAL_ATTRIBUTE]: sealOf(write['Item'], sealing) } };
  const updated = 'UpdateExpression' in write ? keyIn(write['Key']) : undefined;
  if (updated === undefined || !sealing.covers(updated)) return write;
  const broken = attributesIn(write['UpdateExpression'], write['ExpressionAttributeNames']).filter(
    (name) => !sealing.unsealed.has(name),
  );
  if (broken.length > 0)
    throw new Error(`An update of ${broken.join(', ')} would break the seal of ${updated.pk}. Put the whole item.`);
  return write;
}

function sealedInput(input: Item, sealing: Sealing): Item {
  const actions = input['TransactItems'];
  if (!Array.isArray(actions)) {
    const write = sealedWrite(input, sealing);
    return isRecord(write) ? write : input;
  }
  const sealed = actions.map((action: unknown) =>
    isRecord(action)
      ? Object.fromEntries(Object.entries(action).map(([verb, write]) => [verb, sealedWrite(write, sealing)]))
      : action,
  );
  return { ...input, TransactItems: sealed };
}

/** The item as it was put; undefined when it was written or altered by other means. */
function genuine(item: Item, sealing: Sealing): Item | undefined {
  const key = keyIn(item);
  if (key === undefined || !sealing.covers(key)) return item;
  if (!isGenuine(item, sealing)) {
    sealing.onForged(key);
    return undefined;
  }
  const { [SEAL_ATTRIBUTE]: _seal, ...rest } = item;
  return rest;
}

function withoutForged(output: Output, sealing: Sealing): Output {
  const only = (items: readonly Item[]) =>
    items.map((item) => genuine(item, sealing)).filter((item) => item !== undefined);
  const { Item: one, Items: many, Responses: byTable } = output;
  const responses = Object.entries(byTable ?? {}).map(([name, items]) => [name, only(items)] as const);
  return {
    ...output,
    Item: one && genuine(one, sealing),
    Items: many && only(many),
    Responses: byTable && Object.fromEntries(responses),
  };
}

interface ForgedItem {
  TableName: string;
  key: Key;
  seal: unknown;
}

/** The items without a valid seal that made the condition of a put to their keys fail. */
function forgedInTheWay(error: unknown, input: Item, sealing: Sealing): ForgedItem[] {
  if (!(error instanceof TransactionCanceledException) || !Array.isArray(input['TransactItems'])) return [];
  const actions: unknown[] = input['TransactItems'];
  return error.CancellationReasons.flatMap(({ Code, Item: item }, index) => {
    const action = actions[index];
    const put = isRecord(action) && isRecord(action['Put']) ? action['Put'] : undefined;
    const key = keyIn(item);
    if (Code !== 'ConditionalCheckFailed' || put === undefined || item === undefined || key === undefined) return [];
    if (genuine(item, sealing) !== undefined) return [];
    return [{ TableName: String(put['TableName']), key, seal: item[SEAL_ATTRIBUTE] }];
  });
}

/** Removes an item unless it has another seal now, such as that of a genuine item. */
async function removeForged(send: Send, { TableName, key, seal }: ForgedItem) {
  const input = { TableName, Key: key, ...conditionFields(equals(SEAL_ATTRIBUTE, seal)) };
  try {
    await send({ operation: 'DeleteItem', input, command: new DeleteCommand(input) });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The write. An item without a valid seal does not exist: where it is in the way of a put, it is removed first. */
async function write(send: Send, call: DynamoDbCall, sealing: Sealing): Promise<Output> {
  try {
    return await send(call);
  } catch (error) {
    const forged = forgedInTheWay(error, call.input, sealing);
    if (forged.length === 0) throw error;
    for (const one of forged) await removeForged(send, one);
    // The token of the first attempt stands for its result.
    return write(send, { ...call, input: { ...call.input, ClientRequestToken: randomUUID() } }, sealing);
  }
}

/**
 * Seals items in a table that other programs can write too. Puts through this client seal the item with our secret. For
 * reads through this client, an item without a valid seal does not exist. An item that was copied to another key has no
 * valid seal. Such an item occupies no key either: a transaction that puts a new item there replaces it. Limits: the
 * removal of an item, and the replacement by an earlier version of the same item, cannot be
 * detected.
 */
export function sealItems(table: Table, sealing: Sealing): void {
  table.isSealed = true;
  table.client.use(
    (next) => async (call) =>
      withoutForged(await write(next, { ...call, input: sealedInput(call.input, sealing) }, sealing), sealing),
  );
}
