import { shownNames } from '../objects/agents.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { confirm } from '../command/confirm.ts';
import { objectsIn } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { dependantsOf, type FleetObject, kindOf, operationsOf, referenceTo } from '../objects/objects.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--force', description: 'also remove what depends on it' },
  { flags: '--dry-run', description: 'only list what would be removed' },
  { flags: '-y, --yes', description: 'do not ask' },
];

export async function run(call: CommandCall): Promise<undefined> {
  const { args, options: given, output, connect } = call;
  const objects = objectsIn(args);
  const client = await connect();
  const targets: FleetObject[] = [];
  for (const { kind, name } of objects) targets.push(await findObject(client, kind, name));
  const namesOf = (objects: readonly FleetObject[]) =>
    output.isForPeople ? shownNames(client, objects) : objects.map(referenceTo);
  const names = await namesOf(targets);
  if (given.flag('dryRun')) {
    const rows = [];
    for (const [index, target] of targets.entries()) {
      rows.push({ object: names[index], depends_on: undefined });
      const dependants = (await dependantsOf(client, target)).flatMap(([items, list]) => {
        const kind = kindOf(items);
        return kind === undefined ? [] : list.map((object) => ({ kind, id: String(object[`${kind}_id`]), object }));
      });
      for (const object of await namesOf(dependants)) rows.push({ object, depends_on: names[index] });
    }
    await output.list(rows, { columns: ['object', 'depends_on'] });
    return;
  }
  await confirm(`Remove ${names.join(', ')}${given.flag('force') ? ' and what depends on it' : ''}?`, call);
  for (const [index, { kind, id, object }] of targets.entries()) {
    const input = { [`${kind}_id`]: id, ...(given.flag('force') ? { force: true } : {}) };
    await operationsOf(kind).remove(client, input, { ifMatch: Number(object['revision']) });
    output.line(`${names[index] ?? id} removed`);
  }
}
