import type { CommandCall } from '../command.ts';
import { findObject, layoutOf, operationsOf, readList, referenceOf } from '../objects.ts';

const MAX_CHANGES = 5;

/** What refers to an object, by kind, and the filter that finds it. */
const dependants = {
  node: [
    ['services', 'node_id'],
    ['agents', 'runs_on_node_id'],
  ],
  service: [['agents', 'service_id']],
  agent: [],
} as const;

export async function run({ args, output, connect }: CommandCall): Promise<undefined> {
  const [kind, name] = referenceOf(args[0] ?? '');
  const client = await connect();
  const { id, object } = await findObject(client, kind, name);
  const operations = operationsOf(kind);
  const [page, ...lists] = await Promise.all([
    operations.history(client, { [`${kind}_id`]: id, page_size: MAX_CHANGES }),
    ...dependants[kind].map(async ([items, filter]) => {
      return [items, await readList(client, items, { [filter]: id, include: 'state' })] as const;
    }),
  ]);
  if (!output.isForPeople) {
    await output.value({ ...object, ...Object.fromEntries(lists), changes: page.changes });
    return;
  }
  await output.object(object, layoutOf(operations.items));
  for (const [items, objects] of lists) {
    if (objects.length === 0) continue;
    output.line(`\n${items}:`);
    await output.list(objects, layoutOf(items));
  }
  output.line('\nlast changes:');
  const changes = page.changes.map(({ time, action, revision, actor, after = {} }) => ({
    time,
    action,
    revision,
    actor: actor.name,
    fields: action === 'changed' ? Object.keys(after) : [],
  }));
  await output.list(changes, { columns: ['time', 'action', 'revision', 'actor', 'fields'] });
}
