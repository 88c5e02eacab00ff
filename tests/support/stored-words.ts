import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { openEnums } from '../../functions/domain/fields/open-enum.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { agentKey, agentKeys } from '../../functions/store/entities/agent-natural-key.ts';
import { storedOf } from '../../functions/store/entities/entity.ts';
import { agentKeyClaim } from '../../functions/store/table/keys.ts';
import type { AgentType } from '../../functions/domain/agent/types.ts';
import { shapeOf } from './item-shapes.ts';

/** A place in stored items that contains a word of an enumeration, and the item that shows it. */
export interface WordPlace {
  /** The kind of the item and the path in it, with an asterisk for each id. */
  name: string;
  item: Item;
  path: readonly string[];
  word: string;
  words: readonly string[];
}

const KEYS = ['pk', 'sk', 'list_pk'];

/** The parts of an item that are compressed or are JSON, as values. */
function opened(value: unknown): { value: unknown; close: (value: unknown) => unknown } {
  if (value instanceof Uint8Array)
    try {
      const inner = JSON.parse(inflateRawSync(value).toString()) as unknown;
      return { value: inner, close: (other) => new Uint8Array(deflateRawSync(JSON.stringify(other))) };
    } catch {
      // Bytes of another kind.
    }
  if (typeof value === 'string' && /^[{[]/.test(value))
    try {
      return { value: JSON.parse(value), close: (other) => JSON.stringify(other) };
    } catch {
      // A text that is no JSON.
    }
  return { value, close: (other) => other };
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? Object.entries(value) : [];

/** Every text in a value, with its path. */
function* texts(stored: unknown, path: readonly string[] = []): Generator<{ path: readonly string[]; text: string }> {
  const { value } = opened(stored);
  if (typeof value === 'string') yield { path, text: value };
  for (const [name, inner] of entriesOf(value))
    if (path.length > 0 || !KEYS.includes(name)) yield* texts(inner, [...path, name]);
}

/** The value with another text at the path. */
function withText(stored: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  const { value, close } = opened(stored);
  const inner = withText((value as Item)[name], rest, text);
  return close(Array.isArray(value) ? value.with(Number(name), inner) : { ...(value as Item), [name]: inner });
}

const renamed = (names: readonly string[], from: string, to: string) => (item: Item) => ({
  ...item,
  ...Object.fromEntries(
    names.flatMap((name) => (typeof item[name] === 'string' ? [[name, item[name].replaceAll(from, to)]] : [])),
  ),
});

/** The other items of an agent of another type: its claims, and its order in lists, edges and label index entries. */
function itemsOfAgent(items: readonly Item[], { item, word }: WordPlace, other: string): Item[] {
  const agent = storedOf('agent', item).object;
  const [claim, ...more] = agentKeys(agent).map((key) => agentKeyClaim(key).pk);
  const next = agentKeyClaim(agentKey({ ...agent, agent_type: other as AgentType })).pk;
  const inOrder = renamed(['sk', 'list_sk'], `${word}#${agent.agent_id}`, `${other}#${agent.agent_id}`);
  return items
    .filter(({ pk }) => !more.includes(String(pk)))
    .map((stored) => (stored === item ? stored : inOrder(stored['pk'] === claim ? { ...stored, pk: next } : stored)));
}

/** The items with another word at the place, also in their keys, as the writer of that word would write them. */
export function itemsWith(items: readonly Item[], place: WordPlace, other: string): Item[] {
  const { item, path, word } = place;
  const isAgent = path.at(-1) === 'agent_type' && String(item['pk']).startsWith('AGENT#');
  const others = isAgent ? itemsOfAgent(items, place, other) : items;
  const [from, to] = isAgent ? [`${word}#`, `${other}#`] : [`#${word}`, `#${other}`];
  const inKeys = renamed(['sk', 'type_pk', 'list_sk'], from, to);
  return others.map((stored) => (stored === item ? (withText(inKeys(stored), path, other) as Item) : stored));
}

/** The item with an attribute and fields that only a newer version writes. */
export function withNewerFields(item: Item): Item {
  const fields = Object.entries(item).map(([name, stored]): [string, unknown] => {
    const { value, close } = opened(stored);
    const isOpened = value !== stored && !Array.isArray(value);
    return [name, isOpened ? close({ ...(value as Item), newer_field: 'x' }) : stored];
  });
  return { ...Object.fromEntries(fields), newer_attribute: 'x' };
}

/** Numbers in lists, and ids. */
const generalised = (part: string, index: number, { length }: readonly string[]) =>
  (/^\d+$/.test(part) && index < length - 1) || /^(process#)?[0-9a-f-]{36}$/.test(part) ? '*' : part;

/** The texts of an item without ids and times, which differ in each run. */
const steady = (item: Item) => [...texts(item)].flatMap(({ text }) => (/\d/.test(text) ? [] : [text])).join();

/** The places of words by item kind, path and enumeration: all such items' places, in the same order in each run. */
export function allPlacesOf(items: readonly Item[]): WordPlace[][] {
  const places = new Map<string, WordPlace[]>();
  const ordered = items.map((item) => ({ item, order: steady(item) }));
  for (const { item } of ordered.toSorted((left, right) => (left.order < right.order ? -1 : 1)))
    for (const { path, text } of texts(item))
      for (const { words } of openEnums()) {
        if (!words.includes(text)) continue;
        const shape = shapeOf(item as Item & { pk: string; sk: string });
        const name = `${shape?.pk} ${shape?.sk}: ${path.map(generalised).join('.')}`;
        const key = `${name} ${words.join()}`;
        places.set(key, [...(places.get(key) ?? []), { name, item, path, word: text, words }]);
      }
  return [...places.values()];
}

/** The first place for each kind of item, path and enumeration. */
export const placesOf = (items: readonly Item[]): WordPlace[] => allPlacesOf(items).map(([first]) => first!);

/**
 * Records from now on which enumeration reads a word first: that of the store.
 *
 * @returns the words of the enumeration that has read this text.
 */
export function recordReaders(): (text: string) => readonly string[] | undefined {
  const readers = new Map<unknown, readonly string[]>();
  for (const { words, schema } of openEnums()) {
    const run = schema._zod.run.bind(schema._zod);
    schema._zod.run = (payload, context) => {
      if (!readers.has(payload.value)) readers.set(payload.value, words);
      return run(payload, context);
    };
  }
  return (text) => readers.get(text);
}

/** Every item as it is stored. */
export async function storedItems({ client, name }: Table): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

async function write({ client, name }: Table, requests: readonly object[]): Promise<void> {
  for (let start = 0; start < requests.length; start += 25)
    await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests.slice(start, start + 25) } }));
}

/** Makes the table contain exactly these items. */
export async function setItems(table: Table, items: readonly Item[]): Promise<void> {
  const present = await storedItems(table);
  await write(
    table,
    present.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );
  await write(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}
