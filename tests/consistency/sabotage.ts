import {
  type CancellationReason,
  TransactionCanceledException,
  TransactionConflictException,
} from '../../shared/db/table-errors.ts';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ensureTable } from '../../local/engine/table.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { scan } from './invariants.ts';
import { type Command, type Disturbance, isWrite, type Send } from './disturbances.ts';
import type { Random } from './random.ts';

/*
 * What stands between the functions and their table in these tests: some of it is only unkind, as the real table may be
 * (waiting, turning away, indexes that lag); the rest makes the functions behave as a defective implementation would.
 */

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Unkind, as the real table may be -------------------------------------------------------------------------------------

/** Calls take up to so much longer, so that clients meet in every order. */
export function jitter(random: Random, mostMilliseconds: number): Disturbance {
  return async (command, next) => {
    await wait(random.next() * mostMilliseconds);
    return next(command);
  };
}

function cancelled(reasons: CancellationReason[]): TransactionCanceledException {
  return new TransactionCanceledException({ message: 'cancelled', CancellationReasons: reasons });
}

/** Writes are turned away now and then because of others at the same items; the embedded engine never does that. */
export function conflicts(random: Random, probability: number): Disturbance {
  return async (command, next) => {
    if (!isWrite(command) || !random.chance(probability)) return next(command);
    if (!(command instanceof TransactWriteCommand)) throw new TransactionConflictException({ message: 'conflict' });
    const count = command.input.TransactItems?.length ?? 0;
    const hit = random.below(count);
    throw cancelled(
      Array.from({ length: count }, (_, index) => ({ Code: index === hit ? 'TransactionConflict' : 'None' })),
    );
  };
}

// Lag ------------------------------------------------------------------------------------------------------------------

const objectSorts = ['NODE', 'SERVICE', 'AGENT'];

const isObjectKey = (key: Item | undefined) => objectSorts.includes(String(key?.['sk']));

interface ObjectWrite {
  key: Item;
  /** Undefined for a removal. */
  item: Item | undefined;
}

function objectWrites(command: Command): ObjectWrite[] {
  const ofPut = (item: Item | undefined) =>
    item !== undefined && isObjectKey(item) ? [{ key: { pk: item['pk'], sk: item['sk'] }, item }] : [];
  const ofDelete = (key: Item | undefined) => (key !== undefined && isObjectKey(key) ? [{ key, item: undefined }] : []);
  if (command instanceof PutCommand) return ofPut(command.input.Item);
  if (command instanceof DeleteCommand) return ofDelete(command.input.Key);
  if (!(command instanceof TransactWriteCommand)) return [];
  return (command.input.TransactItems ?? []).flatMap(({ Put, Delete }) => [
    ...ofPut(Put?.Item),
    ...ofDelete(Delete?.Key),
  ]);
}

/**
 * Serves some reads from a copy that is `operations` writes of objects behind. For queries of an index that is what a
 * real table may do; for reads by primary key it is a defect, as if they were not asked to be consistent.
 *
 * @param milliseconds after which the copy has a write at the latest, also when no others follow.
 */
export function lagging(
  table: Table,
  {
    operations,
    milliseconds,
    reads,
  }: { operations: number; milliseconds?: number; reads: 'index queries' | 'objects' },
): { disturbance: Disturbance; catchUp: () => Promise<void>; forget: () => Promise<void> } {
  const copy: Table = { client: table.client, name: `${table.name}-behind` };
  const waiting: ObjectWrite[] = [];
  // Replies may come in another order than the writes were made in: an item of the copy never goes back.
  const reached = new Map<unknown, number>();
  let applied = Promise.resolve();
  let made: Promise<void> | undefined;

  const apply = async ({ key, item }: ObjectWrite) => {
    const revision = item === undefined ? Infinity : Number(item['revision']);
    if (revision <= (reached.get(key['pk']) ?? 0)) return;
    reached.set(key['pk'], revision);
    if (item === undefined) await copy.client.send(new DeleteCommand({ TableName: copy.name, Key: key }));
    else await copy.client.send(new PutCommand({ TableName: copy.name, Item: item }));
  };
  const keepUp = (behind: number) => {
    while (waiting.length > behind) {
      const write = waiting.shift();
      if (write !== undefined) applied = applied.then(() => apply(write));
    }
    return applied;
  };

  const disturbance: Disturbance = async (command, next) => {
    await (made ??= ensureTable(copy));
    if (reads === 'index queries' && command instanceof QueryCommand && command.input.IndexName !== undefined) {
      await applied;
      return next(new QueryCommand({ ...command.input, TableName: copy.name }));
    }
    if (reads === 'objects' && command instanceof GetCommand && isObjectKey(command.input.Key)) {
      await applied;
      return next(new GetCommand({ ...command.input, TableName: copy.name }));
    }
    const reply = await next(command);
    waiting.push(...objectWrites(command));
    void keepUp(operations);
    if (milliseconds !== undefined) setTimeout(() => void keepUp(0), milliseconds).unref();
    return reply;
  };
  return {
    disturbance,
    catchUp: () => keepUp(0),
    forget: async () => {
      await keepUp(0);
      for (const { pk, sk } of await scan(copy))
        await copy.client.send(new DeleteCommand({ TableName: copy.name, Key: { pk, sk } }));
    },
  };
}

// Defective implementations --------------------------------------------------------------------------------------------

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Verb = keyof Action;

const verbs = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const satisfies Verb[];

interface Write {
  verb: Verb;
  key: Item;
  condition: string;
  /** What an update does. */
  update: string;
}

function writeOf(action: Action): Write & { fields: Record<string, any> } {
  const verb = verbs.find((name) => action[name] !== undefined) ?? 'Put';
  const fields: Record<string, any> = { ...action[verb] };
  return {
    verb,
    fields,
    key: fields['Item'] ?? fields['Key'],
    condition: fields['ConditionExpression'] ?? '',
    update: fields['UpdateExpression'] ?? '',
  };
}

/** The action with another condition; the engine refuses names and values that nothing uses. */
function withCondition(action: Action, condition: string): Action {
  const { verb, fields, update } = writeOf(action);
  // A mere check must keep some condition: one that always holds.
  const kept =
    condition === '' && verb === 'ConditionCheck' ? 'attribute_exists(pk) OR attribute_not_exists(pk)' : condition;
  const used = `${kept} ${update} `;
  const only = (map: Record<string, unknown> | undefined) => {
    const entries = Object.entries(map ?? {}).filter(([name]) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(used));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const next: Record<string, unknown> = {
    ...fields,
    ConditionExpression: kept === '' ? undefined : kept,
    ExpressionAttributeNames: only(fields['ExpressionAttributeNames']),
    ExpressionAttributeValues: only(fields['ExpressionAttributeValues']),
  };
  return { [verb]: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) };
}

/** What is left of a condition when a defective implementation forgets it, or a part of it. */
export type Forgetting = (write: Write) => string;

const isGuard = ({ key }: Write) => key['sk'] === 'GUARD';
const isDependence = (write: Write) =>
  isGuard(write) && (write.update.startsWith('ADD') || write.verb === 'ConditionCheck');

/** The kinds of conditions that the invariants rest on. */
export const conditions = {
  'a claim is free': (write) => (write.verb === 'Put' && write.key['sk'] === 'CLAIM' ? '' : write.condition),
  'what is referred to exists': (write) => (isDependence(write) ? '' : write.condition),
  'what is referred to is not being removed': (write) =>
    isDependence(write) ? write.condition.replace(' AND attribute_not_exists(#removing)', '') : write.condition,
  'what is referred to is of the right type': (write) =>
    isDependence(write)
      ? write.condition
          .replace(/ AND #type IN \([^)]*\)/, '')
          .replace(' AND (attribute_exists(#type) AND attribute_not_exists(#type))', '')
      : write.condition,
  'the object is as it was read': (write) =>
    write.condition.replace('#last_change = :last_change', 'attribute_exists(pk)'),
  'nothing depends on what is removed': (write) =>
    isGuard(write) && write.verb === 'Delete' ? 'attribute_exists(pk)' : write.condition,
} as const satisfies Record<string, Forgetting>;

function actionsOf(command: Command): Action[] | undefined {
  if (command instanceof TransactWriteCommand) return command.input.TransactItems ?? [];
  if (command instanceof PutCommand) return [{ Put: command.input }];
  return undefined;
}

function rewritten(command: Command, rewrite: (action: Action) => Action): Command {
  if (command instanceof TransactWriteCommand)
    return new TransactWriteCommand({ ...command.input, TransactItems: command.input.TransactItems?.map(rewrite) });
  if (command instanceof PutCommand) {
    const { Put } = rewrite({ Put: command.input });
    if (Put !== undefined) return new PutCommand(Put);
  }
  return command;
}

/** Writes without a kind of condition. */
export function without(forgetting: Forgetting): Disturbance {
  return (command, next) => next(rewritten(command, (action) => withCondition(action, forgetting(writeOf(action)))));
}

const isIndexEntry = (action: Action) => /^(NODES|SERVICES|AGENTS)#/.test(String(writeOf(action).key['pk']));

/** Puts or deletes no label index entries: lists by selector would miss an object, or find it by former labels. */
export function forgettingIndexEntries(verb: 'Put' | 'Delete'): Disturbance {
  return (command, next) => {
    if (!(command instanceof TransactWriteCommand)) return next(command);
    const actions = command.input.TransactItems ?? [];
    const TransactItems = actions.filter((action) => action[verb] === undefined || !isIndexEntry(action));
    return next(new TransactWriteCommand({ ...command.input, TransactItems }));
  };
}

/** Looks whether a kind of condition holds, and writes without it a moment later. */
export function checkedBefore(forgetting: Forgetting, random: Random, mostMilliseconds: number): Disturbance {
  return async (command, next) => {
    const actions = actionsOf(command) ?? [];
    for (const [index, action] of actions.entries()) {
      const write = writeOf(action);
      const { fields, condition, key } = write;
      if (forgetting(write) === condition) continue;
      const check = {
        ConditionCheck: {
          ...fields,
          Item: undefined,
          UpdateExpression: undefined,
          Key: { pk: key['pk'], sk: key['sk'] },
        },
      } as unknown as Action;
      await alone(withCondition(check, condition), index, actions.length, next);
    }
    if (actions.some((action) => forgetting(writeOf(action)) !== writeOf(action).condition))
      await wait(random.next() * mostMilliseconds);
    return without(forgetting)(command, next);
  };
}

/** One action of a transaction by itself; refused, it says so as the whole transaction would. */
async function alone(action: Action, index: number, count: number, next: Send): Promise<void> {
  try {
    await next(new TransactWriteCommand({ TransactItems: [action] }));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reason = error.CancellationReasons[0] ?? { Code: 'None' };
    throw cancelled(Array.from({ length: count }, (_, place) => (place === index ? reason : { Code: 'None' })));
  }
}

/**
 * Makes the writes of a transaction one by one, a moment apart.
 *
 * @param refused what becomes of the rest when one of them is refused: nothing more is written, or that one is left out.
 */
export function split(random: Random, mostMilliseconds: number, refused: 'stop' | 'ignore'): Disturbance {
  return async (command, next) => {
    if (!(command instanceof TransactWriteCommand)) return next(command);
    const actions = command.input.TransactItems ?? [];
    for (const [index, action] of actions.entries()) {
      try {
        await alone(action, index, actions.length, next);
      } catch (error) {
        if (refused === 'stop' || !(error instanceof TransactionCanceledException)) throw error;
      }
      await wait(random.next() * mostMilliseconds);
    }
    return {};
  };
}

/**
 * Asks the index whether a name is free instead of letting the write say so: what a program does that has no claims.
 * The index may be up to date, and it is still wrong.
 */
export function namesByIndex(table: Table, names: Readonly<Record<string, string>>): Disturbance {
  return async (command, next) => {
    const actions = actionsOf(command) ?? [];
    for (const [index, action] of actions.entries()) {
      const { verb, key } = writeOf(action);
      const [prefix = '', ...rest] = String(key['pk']).split('#');
      const partition = names[prefix];
      if (verb !== 'Put' || key['sk'] !== 'CLAIM' || partition === undefined) continue;
      const claims = await next(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'by_name',
          KeyConditionExpression: 'list_pk = :list AND list_sk = :name',
          ExpressionAttributeValues: { ':list': partition, ':name': rest.join('#') },
        }),
      );
      if (claims.Items.length === 0) continue;
      const taken: CancellationReason = { Code: 'ConditionalCheckFailed' };
      throw cancelled(actions.map((_, place) => (place === index ? taken : { Code: 'None' })));
    }
    return without(conditions['a claim is free'])(command, next);
  };
}
