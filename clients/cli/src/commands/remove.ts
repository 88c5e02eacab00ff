import type { CommandCall, OptionSpec } from '../command.ts';
import { confirm } from '../confirm.ts';
import { dependantsOf, findObject, type FleetObject, operationsOf, referenceOf } from '../objects.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--force', description: 'also remove what depends on it' },
  { flags: '--dry-run', description: 'only list what would be removed' },
  { flags: '-y, --yes', description: 'do not ask' },
];

export async function run(call: CommandCall): Promise<undefined> {
  const { args, options: given, output, connect } = call;
  const references = args.map(referenceOf);
  const client = await connect();
  const found: FleetObject[] = [];
  for (const [kind, name] of references) found.push(await findObject(client, kind, name));
  if (given.flag('dryRun')) {
    const rows = [];
    for (const [index, one] of found.entries()) {
      rows.push({ object: args[index], depends_on: undefined });
      for (const [items, objects] of await dependantsOf(client, one))
        rows.push(
          ...objects.map((object) => ({
            object: `${items.slice(0, -1)}/${String(object[`${items.slice(0, -1)}_name`] ?? object['agent_id'])}`,
            depends_on: args[index],
          })),
        );
    }
    await output.list(rows, { columns: ['object', 'depends_on'] });
    return;
  }
  await confirm(`Remove ${args.join(', ')}${given.flag('force') ? ' and what depends on it' : ''}?`, call);
  for (const [index, { kind, id, object }] of found.entries()) {
    const input = { [`${kind}_id`]: id, ...(given.flag('force') ? { force: true } : {}) };
    await operationsOf(kind).remove(client, input, { ifMatch: Number(object['revision']) });
    output.line(`${args[index] ?? id} removed`);
  }
}
