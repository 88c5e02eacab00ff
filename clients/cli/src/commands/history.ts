import type { CommandCall, OptionSpec } from '../command.ts';
import { changeLayout, changeRow } from '../changes.ts';
import { findObject, operationsOf, referenceOf } from '../objects.ts';
import { fieldsOf } from '../values.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--limit <number>', description: 'at most this number of changes' },
];

export async function run({ args, options: given, output, connect }: CommandCall): Promise<undefined> {
  const [kind, name] = referenceOf(args[0] ?? '');
  const limit = given.count('limit') ?? Infinity;
  const client = await connect();
  const { id } = await findObject(client, kind, name);
  const changes = [];
  for await (const change of operationsOf(kind).history(client, { [`${kind}_id`]: id })) {
    changes.push(change);
    if (changes.length >= limit) break;
  }
  await output.list(changes.map(output.isForPeople ? changeRow : fieldsOf), changeLayout);
}
