import { shownNames } from '../agents.ts';
import { readYaml } from '../body-file.ts';
import { bodyOfOptions, bodyOptions, labelOption } from '../body-flags.ts';
import type { Action, CommandCall, OptionSpec } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { type KindName, layoutOf, operationsOf } from '../objects.ts';
import { withIds } from '../references.ts';
import { type Fields, fieldsOf, isFields } from '../values.ts';

const fileOption: OptionSpec = {
  flags: '-f, --file <file>',
  description: 'YAML or JSON file with fields; options precede it; - is the standard input',
};

/** The field that the argument gives: nodes and services have names, agents a type. */
const argumentOf = (kind: KindName) => (kind === 'agent' ? 'agent_type' : `${kind}_name`);

async function bodyOf(kind: KindName, { args, options, world }: CommandCall): Promise<Fields> {
  const file = options.text('file');
  const stored = file === undefined ? {} : await readYaml(file, world);
  if (!isFields(stored)) throw new CommandError(`${file ?? ''} contains no object.`);
  const given = bodyOfOptions(kind, options);
  const labels = {
    ...(isFields(stored['custom_labels']) ? stored['custom_labels'] : {}),
    ...(isFields(given['custom_labels']) ? given['custom_labels'] : {}),
  };
  return {
    ...stored,
    ...given,
    ...(Object.keys(labels).length === 0 ? {} : { custom_labels: labels }),
    [argumentOf(kind)]: args[0],
  };
}

function action(kind: KindName, send: (call: CommandCall, body: Fields) => Promise<[Fields, string]>): Action {
  return {
    options: [...bodyOptions(kind, [argumentOf(kind)]), labelOption, fileOption],
    run: async (call) => {
      const client = await call.connect();
      const body = await withIds(client, await bodyOf(kind, call));
      const [object, outcome] = await send(call, body);
      const { output } = call;
      if (output.isForPeople) {
        const [name = ''] = await shownNames(client, [{ kind, object }]);
        output.line(`${name} ${outcome}`);
      } else await output.object(object, layoutOf(operationsOf(kind).items));
      return undefined;
    },
  };
}

/** Adds an object; a name that is taken is refused. */
export const addition = (kind: KindName): Action =>
  action(kind, async ({ connect }, body) => [fieldsOf(await operationsOf(kind).add(await connect(), body)), 'added']);

/** Declares an object: adds or changes it, so that it is as given. */
export const declaration = (kind: KindName): Action =>
  action(kind, async ({ connect }, body) => {
    const { outcome, ...object } = await operationsOf(kind).upsert(await connect(), body);
    return [fieldsOf(object), outcome];
  });
