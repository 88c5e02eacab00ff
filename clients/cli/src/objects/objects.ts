import type { Listing, Client } from '../../../typescript/src/operation.ts';
import * as operations from '../../../typescript/src/generated/operations.ts';
import type { Change } from '../../../typescript/src/generated/types.ts';
import type { CallOptions, Match } from '../../../typescript/src/options.ts';
import { CommandError } from '../core/exit-codes.ts';
import { lists } from '../generated/lists.ts';
import type { Layout } from '../output/output.ts';
import { type Fields, fieldsOf } from '../core/values.ts';

type List = (typeof lists)[keyof typeof lists];

// Methods instead of functions: the input of an operation is an object that is known at run time.
interface Lists {
  list(client: Client, input?: object, options?: CallOptions): Listing<object, object>;
}

/** The operations of a kind of objects. */
export interface Kind {
  /** The field of its objects in replies: `nodes`. */
  items: keyof typeof lists;
  get(client: Client, input: object, options?: CallOptions): Promise<object>;
  add(client: Client, input: object): Promise<object>;
  upsert(
    client: Client,
    input: object,
    options?: CallOptions & { ifMatch?: Match },
  ): Promise<object & { outcome: string }>;
  change(client: Client, input: object, options?: CallOptions & { ifMatch?: Match }): Promise<object>;
  history(client: Client, input: object): Listing<Change, { changes: Change[] }>;
  remove(client: Client, input: object, options?: CallOptions & { ifMatch?: Match }): Promise<undefined>;
}

const kinds = {
  node: {
    items: 'nodes',
    get: operations.getNode,
    add: operations.addNode,
    upsert: operations.upsertNode,
    change: operations.changeNode,
    history: operations.listNodeHistory,
    remove: operations.removeNode,
  },
  service: {
    items: 'services',
    get: operations.getService,
    add: operations.addService,
    upsert: operations.upsertService,
    change: operations.changeService,
    history: operations.listServiceHistory,
    remove: operations.removeService,
  },
  agent: {
    items: 'agents',
    get: operations.getAgent,
    add: operations.addAgent,
    upsert: operations.upsertAgent,
    change: operations.changeAgent,
    history: operations.listAgentHistory,
    remove: operations.removeAgent,
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const operationsOf = (kind: KindName): Kind => kinds[kind];

export const kindNames: readonly KindName[] = ['node', 'service', 'agent'];

const isKind = (word: string): word is KindName => Object.hasOwn(kinds, word);

/** `nodes` and `node` are the same kind. */
export function itemsOf<Items extends keyof typeof lists>(word: string, allowed: readonly Items[]): Items {
  const items = allowed.find((candidate) => candidate === word || candidate === `${word}s`);
  if (items === undefined) throw new CommandError(`No such kind: ${word}. There are: ${allowed.join(', ')}.`);
  return items;
}

/** The kind of the objects of a list; undefined for clusters and others without a kind. */
export const kindOf = (items: string): KindName | undefined => {
  const kind = items.replace(/s$/, '');
  return isKind(kind) ? kind : undefined;
};

export const listOf = <Items extends keyof typeof lists>(items: Items): (typeof lists)[Items] => lists[items];

/** An object in one word that commands take: `node/db-1`, `agent/ID`. */
export const referenceTo = ({ kind, object }: Pick<FleetObject, 'kind' | 'object'>): string =>
  `${kind}/${String(object[kind === 'agent' ? 'agent_id' : `${kind}_name`])}`;

/** Lists whose names are not unique: commands take the ids of their objects. */
const namedById: readonly string[] = ['enrolment_tokens', 'sessions'];

export function layoutOf(items: keyof typeof lists): Layout {
  const { columns, wide, id }: List & { id?: string } = lists[items];
  const kind = kindOf(items);
  if (kind === undefined) {
    const first = namedById.includes(items) ? id : columns[0];
    return { columns, wide, nameOf: (object) => String(object[first ?? columns[0]]) };
  }
  const nameOf = (object: Fields) => referenceTo({ kind, object });
  if (items !== 'agents') return { kind, columns, wide: wide.flatMap(withNames), nameOf };
  // The title has the type, the targets and the node of an agent.
  const others = columns.filter((column) => column !== 'agent_type' && !column.endsWith('_id'));
  return { kind, columns: ['agent', ...others], wide: ['agent', ...wide.flatMap(withNames)], nameOf };
}

/** The columns with names of other objects, by the columns with their ids. */
export const namesById: ReadonlyMap<string, string> = new Map([
  ['node_ids', 'node_names'],
  ['runs_on_node_id', 'runs_on_node_name'],
]);

const withNames = (column: string) => [namesById.get(column) ?? [], column].flat();

/** Objects of a list, until the limit. */
export async function readList(
  client: Client,
  items: keyof typeof lists,
  query: object,
  limit = Infinity,
  options: CallOptions = {},
): Promise<Fields[]> {
  const all: Lists = { list: operations[lists[items].operation] };
  const objects: Fields[] = [];
  if (limit === 0) return objects;
  for await (const object of all.list(client, { ...query, page_size: Math.min(limit, 1000) }, options)) {
    objects.push(fieldsOf(object));
    if (objects.length >= limit) break;
  }
  return objects;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isId = (text: string) => ID.test(text);

export interface FleetObject {
  kind: KindName;
  id: string;
  object: Fields;
}

const missing = (kind: string, name: string) => new CommandError(`There is no ${kind} ${name}.`, 'missing');

/** An object by its name or id; an agent by its id. @throws CommandError if there is none. */
export async function findByName(
  client: Client,
  kind: KindName,
  name: string,
  options: CallOptions = {},
): Promise<FleetObject> {
  const kindOperations = operationsOf(kind);
  const { id: idField } = lists[kinds[kind].items];
  const nameField = `${kind}_name`;
  // A name can look like an id: the name is looked up first.
  if (kind !== 'agent') {
    const [first] = await readList(client, kindOperations.items, { name_prefix: name, include: 'state' }, 1, options);
    if (first?.[nameField] === name) return { kind, id: String(first[idField]), object: first };
  }
  if (!isId(name)) throw missing(kind, name);
  const object = fieldsOf(await kindOperations.get(client, { [idField]: name }, options));
  return { kind, id: name, object };
}

/** The lists of objects that refer to an object, and the filter of each. */
const dependants = {
  node: [
    ['services', 'node_id'],
    ['agents', 'runs_on_node_id'],
  ],
  service: [['agents', 'service_id']],
  // Under a pmm_agent.
  agent: [['agents', 'pmm_agent_id']],
} as const;

/** The objects that refer to an object: services and agents of a node, agents of a service or under a pmm_agent. */
export function dependantsOf(client: Client, { kind, id }: FleetObject) {
  return Promise.all(
    dependants[kind].map(async ([items, filter]) => {
      return [items, await readList(client, items, { [filter]: id, include: 'state' })] as const;
    }),
  );
}
