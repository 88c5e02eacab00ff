import type { Client } from '../../../typescript/src/operation.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { fieldNamed, labelIn } from '../core/field-names.ts';
import { objectsIn } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { itemsOf, kindOf, type KindName, layoutOf, listOf, operationsOf, readList } from '../objects/objects.ts';
import { shownObjects } from '../objects/shown-objects.ts';
import { type Fields, pairOf } from '../core/values.ts';

const listed = ['nodes', 'services', 'agents', 'clusters'] as const;

export const options: readonly OptionSpec[] = [
  {
    flags: '-l, --selector <selector>',
    description: 'labels, as in Kubernetes: env=prod,tier in (gold,silver),!legacy',
  },
  { flags: '--filter <field=value>', description: 'a filter of the list, such as region=eu', many: true },
  { flags: '--prefix <text>', description: 'only names with this prefix' },
  { flags: '--state <states>', description: 'live, stale, offline, never_seen; separated by commas' },
  { flags: '--group-by <property>', description: 'count by a property, such as state, region, version or label.team' },
  {
    flags: '--as-of <time>',
    description: 'named objects as they were, also removed ones: 2026-03-02T10:30:00Z, or 2h for two hours ago',
  },
  { flags: '-w, --watch', description: 'then show the objects that change' },
  { flags: '--limit <number>', description: 'at most this number of objects' },
];

/** The query of a list. @throws CommandError if it has no such filter. */
export function queryOf(items: Parameters<typeof listOf>[0], { options: given }: CommandCall): Record<string, string> {
  const { filters } = listOf(items);
  const pairs = given
    .all('filter')
    .map((text) => pairOf(text, () => new CommandError(`--filter is no field=value: ${text}`)));
  const named = [
    ['selector', given.text('selector')],
    ['name_prefix', given.text('prefix')],
    ['state', given.text('state')],
  ] as const;
  const all = [...pairs, ...named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))];
  const names = filters.map((filter) => filter.name);
  return Object.fromEntries(
    all.map(([text, value]) => {
      const name = fieldNamed(kindOf(items), names, text);
      if (name === undefined)
        throw new CommandError(`${items} have no filter ${text}. There are: ${names.join(', ')}.`);
      return [name, value];
    }),
  );
}

/** The query with the ids of the objects that its filters name. */
const withIdsOf = async (client: Client, query: Record<string, string>) =>
  Object.keys(query).some((name) => name.endsWith('_id'))
    ? (await import('../objects/references.ts')).filtersWithIds(client, query)
    : query;

/** The most ids in a selector. */
const MAX_IDS = 40;

/** Shows objects that change and that the query selects, until the signal. */
async function watch({ output, world }: CommandCall, client: Client, kind: KindName, query: Record<string, string>) {
  const { items } = operationsOf(kind);
  const { followChanges } = await import('../../../typescript/src/flows/changes.ts');
  for await (const { changes } of followChanges(client, { kinds: [kind], signal: world.signal, timeout: 60_000 })) {
    const ids = [...new Set(changes.map(({ id }) => id))];
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      const changed = `${kind}_id in (${ids.slice(start, start + MAX_IDS).join()})`;
      const selector = query['selector'] === undefined ? changed : `${query['selector']},${changed}`;
      const objects = await readList(client, items, { ...query, selector });
      if (objects.length > 0)
        await output.list(await shownObjects(client, items, objects, output), layoutOf(items), true);
    }
  }
}

interface Selection {
  items: (typeof listed)[number];
  names: readonly string[];
}

/** Shows how many objects have each value of a property. */
async function showGroups(
  { options: given, output, connect }: CommandCall,
  { items, names }: Selection,
  by: string,
  query: Record<string, string>,
) {
  const kind = kindOf(items);
  if (kind === undefined) throw new CommandError('--group-by counts nodes, services or agents.');
  if (names.length > 0 || given.flag('watch') || given.count('limit') !== undefined)
    throw new CommandError('--group-by counts all objects that the filters select: no names, --limit or --watch.');
  const { groupColumns, readGroups } = await import('../objects/groups.ts');
  const label = labelIn(by);
  const property = label === undefined ? by : `labels.${label}`;
  await output.list(await readGroups(await connect(), kind, property, query), { columns: groupColumns });
}

/** The list that the arguments name, and the objects in it: `nodes`, `node db-1 db-2`, `node/db-1`. */
function selectionIn(args: readonly string[]): Selection {
  const [word = '', ...rest] = args;
  if (!word.includes('/')) {
    const items = itemsOf(word, listed);
    const isNamed = rest.length > 0 && kindOf(items) !== undefined;
    return { items, names: isNamed ? objectsIn(args).map(({ name }) => name) : rest };
  }
  const objects = objectsIn(args);
  const [{ kind } = { kind: undefined }] = objects;
  const other = objects.find((object) => object.kind !== kind);
  if (kind === undefined || other !== undefined)
    throw new CommandError(`Give objects of one kind: ${word} and ${other?.kind ?? ''}/${other?.name ?? ''} are two.`);
  return { items: itemsOf(kind, listed), names: objects.map(({ name }) => name) };
}

export async function run(call: CommandCall): Promise<undefined> {
  const selection = selectionIn(call.args);
  const { items, names } = selection;
  const { output, connect, options: given } = call;
  const kind = kindOf(items);
  const layout = layoutOf(items);
  const query = queryOf(items, call);
  const by = given.text('groupBy');
  if (by !== undefined) return showGroups(call, selection, by, query).then(() => undefined);
  const limit = given.count('limit');
  const time = given.text('asOf');
  if (time !== undefined && names.length === 0) throw new CommandError('--as-of shows objects by name or id.');
  if (names.length === 0) {
    const withState = kind !== undefined && output.shows('state', layout) ? { include: 'state' } : {};
    const client = await connect();
    const full = { ...(await withIdsOf(client, query)), ...withState };
    const objects = await readList(client, items, full, limit);
    await output.list(await shownObjects(client, items, objects, output), layout);
    if (given.flag('watch') && kind !== undefined) await watch(call, client, kind, full);
    return;
  }
  if (kind === undefined) throw new CommandError(`${items} cannot be selected by name: use --prefix.`);
  if (Object.keys(query).length > 0 || limit !== undefined) throw new CommandError('Give names or filters, not both.');
  const client = await connect();
  const past = time === undefined ? undefined : await import('../objects/past-objects.ts');
  const objects: Fields[] = [];
  for (const name of names)
    objects.push(
      past === undefined || time === undefined
        ? (await findObject(client, kind, name)).object
        : await past.objectAsOf(client, kind, name, past.timeOf(time, call.world.clock.now())),
    );
  const [first] = objects;
  // One name: one object, not a list of one.
  if (first !== undefined && names.length === 1 && !output.isForPeople) {
    if (output.format === 'json' || output.format === 'yaml') return output.object(first, layout).then(() => undefined);
  }
  await output.list(await shownObjects(client, items, objects, output), layout);
}
