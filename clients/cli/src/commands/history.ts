import type { CommandCall, OptionSpec } from '../command/command.ts';
import { namesOf } from '../objects/agents.ts';
import { changeLayout, changeRows } from '../objects/changes.ts';
import { onlyObject } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { operationsOf } from '../objects/objects.ts';
import { fieldsOf } from '../core/values.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--limit <number>', description: 'at most this number of changes' },
];

export async function run({ args, options: given, output, connect }: CommandCall): Promise<undefined> {
  const { kind, name } = onlyObject(args);
  const limit = given.count('limit') ?? Infinity;
  const client = await connect();
  const target = await findObject(client, kind, name);
  const changes = [];
  for await (const change of operationsOf(kind).history(client, { [`${kind}_id`]: target.id })) {
    changes.push(change);
    if (changes.length >= limit) break;
  }
  const rows = output.isTable
    ? await changeRows(client, changes, await namesOf(client, [target]))
    : changes.map(fieldsOf);
  await output.list(rows, changeLayout);
}
