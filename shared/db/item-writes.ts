import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Condition } from './conditions.ts';
import { Contention } from './contention.ts';
import { Expressions } from './expressions.ts';
import type { Item, Key } from './item.ts';
import { ConditionalCheckFailedException, TransactionConflictException } from './table-errors.ts';
import type { Table } from './table.ts';

/** A change of attributes of an item. */
interface Update {
  update: Key;
  condition?: Condition;
  set?: Item;
  /** Sets the attributes that are absent. */
  setIfAbsent?: Item;
  /** Adds to numbers; an absent one is 0. */
  add?: Readonly<Record<string, number>>;
  remove?: readonly string[];
}

/** One write of an item, and the condition on the item before it. */
export type ItemWrite = { put: Item; condition?: Condition } | Update | { delete: Key; condition?: Condition };

/** A write, or a mere check, which only a transaction can contain. */
export type ItemAction = ItemWrite | { check: Key; condition: Condition };

/** The item that the action puts, or the key of the one that it updates, deletes or checks. */
export function targetOf(action: ItemAction): { pk?: unknown; sk?: unknown } {
  if ('put' in action) return action.put;
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
}

/** The fields of a call for its condition. A refusal contains the present item. */
export const conditionFields = (condition: Condition, expressions = new Expressions()) => ({
  ConditionExpression: expressions.condition(condition),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  ...expressions.attributes,
});

const fieldsOf = (condition: Condition | undefined, expressions?: Expressions) =>
  condition === undefined ? { ...expressions?.attributes } : conditionFields(condition, expressions);

function updateFields({ condition, set = {}, setIfAbsent = {}, add = {}, remove = [] }: Update) {
  const expressions = new Expressions();
  const each = (values: Item, text: (path: string, value: string) => string) =>
    // Undefined is an absent attribute, as in a put.
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [text(expressions.path(name), expressions.value(name, value))],
    );
  const clauses = {
    ADD: each(add, (path, value) => `${path} ${value}`),
    SET: [
      ...each(set, (path, value) => `${path} = ${value}`),
      ...each(setIfAbsent, (path, value) => `${path} = if_not_exists(${path}, ${value})`),
    ],
    REMOVE: remove.map((name) => expressions.path(name)),
  };
  const UpdateExpression = Object.entries(clauses)
    .flatMap(([verb, parts]) => (parts.length === 0 ? [] : [`${verb} ${parts.join(', ')}`]))
    .join(' ');
  return { UpdateExpression, ...fieldsOf(condition, expressions) };
}

/** The action as a transaction contains it. */
export function toAction(TableName: string, action: ItemAction) {
  const { condition } = action;
  if ('put' in action) return { Put: { TableName, Item: action.put, ...fieldsOf(condition) } };
  if ('update' in action) return { Update: { TableName, Key: action.update, ...updateFields(action) } };
  if ('delete' in action) return { Delete: { TableName, Key: action.delete, ...fieldsOf(condition) } };
  return { ConditionCheck: { TableName, Key: action.check, ...conditionFields(action.condition) } };
}

function toCommand(TableName: string, write: ItemWrite, returned: { ReturnValues?: 'ALL_NEW' }) {
  if ('put' in write) return new PutCommand({ TableName, Item: write.put, ...fieldsOf(write.condition) });
  if ('delete' in write) return new DeleteCommand({ TableName, Key: write.delete, ...fieldsOf(write.condition) });
  return new UpdateCommand({ TableName, Key: write.update, ...updateFields(write), ...returned });
}

export interface WriteResult {
  /** The item after an update, if the caller asked for it. */
  item?: Item | undefined;
  /** The condition did not hold, so nothing was written. It contains the present item. */
  refusal?: ConditionalCheckFailedException;
}

/**
 * Writes one item.
 *
 * @throws Contention when a concurrent transaction contains the item.
 */
export async function writeItem(
  { client, name }: Table,
  write: ItemWrite,
  returned: { ReturnValues?: 'ALL_NEW' } = {},
): Promise<WriteResult> {
  try {
    return { item: (await client.send(toCommand(name, write, returned))).Attributes };
  } catch (error) {
    if (error instanceof TransactionConflictException) throw new Contention(error);
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { refusal: error };
  }
}
