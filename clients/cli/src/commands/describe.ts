import type { CommandCall } from '../command.ts';
import { changeLayout, changeRow } from '../changes.ts';
import { dependantsOf, findObject, layoutOf, operationsOf, referenceOf } from '../objects.ts';

const MAX_CHANGES = 5;

export async function run({ args, output, connect }: CommandCall): Promise<undefined> {
  const [kind, name] = referenceOf(args[0] ?? '');
  const client = await connect();
  const found = await findObject(client, kind, name);
  const { id, object } = found;
  const operations = operationsOf(kind);
  const [page, lists] = await Promise.all([
    operations.history(client, { [`${kind}_id`]: id, page_size: MAX_CHANGES }),
    dependantsOf(client, found),
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
  await output.list(page.changes.map(changeRow), changeLayout);
}
