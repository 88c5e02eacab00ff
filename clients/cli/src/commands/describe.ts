import { namesOf } from '../objects/agents.ts';
import { changeLayout, changeRows } from '../objects/changes.ts';
import type { CommandCall } from '../command/command.ts';
import { idsOf, readNames, withIdsAs } from '../objects/names.ts';
import { onlyObject } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { dependantsOf, layoutOf, operationsOf } from '../objects/objects.ts';
import { shownObjects } from '../objects/shown-objects.ts';
import { formatsOfValues } from '../output/output.ts';

export const formats = formatsOfValues;

const MAX_CHANGES = 5;

export async function run({ args, output, connect }: CommandCall): Promise<undefined> {
  const { kind, name } = onlyObject(args);
  const client = await connect();
  const target = await findObject(client, kind, name);
  const { id, object } = target;
  const operations = operationsOf(kind);
  const [page, lists] = await Promise.all([
    operations.history(client, { [`${kind}_id`]: id, page_size: MAX_CHANGES }),
    dependantsOf(client, target),
  ]);
  if (!output.isForPeople) {
    await output.value({ ...object, ...Object.fromEntries(lists), changes: page.changes });
    return;
  }
  const names = await readNames(client, idsOf([object]), await namesOf(client, [target]));
  const named = withIdsAs(object, (objectId) => {
    const nameOfId = names.get(objectId);
    return nameOfId === undefined ? objectId : `${nameOfId} (${objectId})`;
  });
  // Nodes and services have a field with their name.
  const title = kind === 'agent' ? { agent: names.get(id) } : {};
  await output.object({ ...title, ...named }, layoutOf(operations.items));
  for (const [items, objects] of lists) {
    if (objects.length === 0) continue;
    output.line(`\n${items}:`);
    await output.list(await shownObjects(client, items, objects, output), layoutOf(items));
  }
  output.line('\nlast changes:');
  await output.list(await changeRows(client, page.changes, names), changeLayout);
}
