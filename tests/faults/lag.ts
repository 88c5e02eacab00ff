import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ensureTable } from '../../local/engine/table.ts';
import type { Item, Key, Table } from '../../shared/db/table.ts';
import { scan } from '../consistency/invariants.ts';
import type { FaultProxy, Forward, ProxiedCall } from './proxy.ts';

export interface Lag {
  /** What eventually consistent reads are answered from. */
  copy: Table;
  /** Lets the copy catch up with the table. */
  catchUp: () => Promise<void>;
  /** How many reads were answered from the copy. */
  staleReads: () => number;
}

interface Image {
  key: Key;
  /** Undefined when there is none any more. */
  item: Item | undefined;
}

const writingVerbs = ['Put', 'Update', 'Delete'] as const;

/** The keys of the items that a call writes. */
function keysWritten({ operation, body }: ProxiedCall): Key[] {
  const keyOf = (attributes: any): Key => {
    const { pk, sk } = unmarshall(attributes);
    return { pk, sk };
  };
  if (operation === 'PutItem') return [keyOf(body.Item)];
  if (operation === 'UpdateItem' || operation === 'DeleteItem') return [keyOf(body.Key)];
  if (operation !== 'TransactWriteItems') return [];
  return body.TransactItems.flatMap((action: any) =>
    writingVerbs.flatMap((verb) => (action[verb] === undefined ? [] : [keyOf(action[verb].Item ?? action[verb].Key)])),
  );
}

function isConsistent({ operation, body }: ProxiedCall): boolean {
  if (operation === 'BatchGetItem')
    return Object.values<any>(body.RequestItems).every(({ ConsistentRead: consistent }) => consistent === true);
  return body.ConsistentRead === true;
}

function redirected(call: ProxiedCall, name: string): ProxiedCall {
  const { body } = call;
  if (call.operation !== 'BatchGetItem') return { ...call, body: { ...body, TableName: name } };
  const [[, wanted]] = Object.entries(body.RequestItems) as [[string, unknown]];
  return { ...call, body: { ...body, RequestItems: { [name]: wanted } } };
}

/**
 * Lets the proxy answer eventually consistent reads as DynamoDB may and no emulator does: from a copy of the table that
 * is some writes behind. Writes are serialised, so that the copy applies them in the same order.
 *
 * @param reads with `all`, also the strongly consistent reads: shows what would happen without consistency.
 */
export async function lagBehind(
  proxy: FaultProxy,
  table: Table,
  { writesBehind, reads = 'eventual' }: { writesBehind: number; reads?: 'eventual' | 'all' },
): Promise<Lag> {
  const copy: Table = { client: table.client, name: `${table.name}-behind` };
  await ensureTable(copy);
  const items = await scan(table);
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: item } }));
    await copy.client.send(new BatchWriteCommand({ RequestItems: { [copy.name]: requests } }));
  }

  const waiting: Image[][] = [];
  let staleReads = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const oneByOne = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  const catchUp = async (behind: number) => {
    for (let images = waiting[0]; images !== undefined && waiting.length > behind; images = waiting[0]) {
      const requests = images.map(({ key, item }) =>
        item === undefined ? { DeleteRequest: { Key: { ...key } } } : { PutRequest: { Item: item } },
      );
      for (let start = 0; start < requests.length; start += 25)
        await copy.client.send(
          new BatchWriteCommand({ RequestItems: { [copy.name]: requests.slice(start, start + 25) } }),
        );
      waiting.shift();
    }
  };

  const imagesOf = async (keys: readonly Key[]): Promise<Image[]> => {
    const Keys = keys.map((key) => ({ ...key }));
    const { Responses = {} } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys, ConsistentRead: true } } }),
    );
    const readItems = Responses[table.name] ?? [];
    return keys.map((key) => ({ key, item: readItems.find(({ pk, sk }) => pk === key.pk && sk === key.sk) }));
  };

  const write = async (call: ProxiedCall, keys: readonly Key[], forward: Forward) => {
    const answer = await forward(call);
    if (answer.status === 200) waiting.push(await imagesOf(keys));
    await catchUp(writesBehind);
    return answer;
  };

  proxy.through((call, forward) => {
    const keys = keysWritten(call);
    if (keys.length > 0) return oneByOne(() => write(call, keys, forward));
    if (reads === 'eventual' && isConsistent(call)) return forward(call);
    staleReads += 1;
    if (call.operation !== 'BatchGetItem') return forward(redirected(call, copy.name));
    return forward(redirected(call, copy.name)).then((answer) => ({
      ...answer,
      body: Buffer.from(answer.body.toString().replaceAll(`"${copy.name}"`, `"${table.name}"`)),
    }));
  });
  return { copy, catchUp: () => oneByOne(() => catchUp(0)), staleReads: () => staleReads };
}
