import { InventoryError } from '../../../typescript/src/error.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { fieldNamed, labelIn } from '../core/field-names.ts';
import { states } from '../objects/groups.ts';
import { onlyObject } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { type KindName, listOf, operationsOf } from '../objects/objects.ts';
import { untilTrue } from '../command/polling.ts';
import { type Fields, isFields } from '../core/values.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--for <condition>', description: 'a state such as live; removed; or field=value' },
];

/** The value of a field or a label of an object of the kind. @throws CommandError if it has no such field. */
function valueOf(kind: KindName, field: string): (object: Fields) => unknown {
  const label = labelIn(field);
  if (label !== undefined) return ({ custom_labels: labels }) => (isFields(labels) ? labels[label] : undefined);
  const { wide } = listOf(operationsOf(kind).items);
  const name = fieldNamed(kind, wide, field);
  if (name === undefined) throw new CommandError(`No field of a ${kind}: ${field}. There are: ${wide.join(', ')}.`);
  return (object) => object[name];
}

function conditionOf(kind: KindName, text: string | undefined): (object: Fields | undefined) => boolean {
  if (text === undefined) throw new CommandError('Give a condition: --for live, --for removed, or --for field=value.');
  if (text === 'removed') return (object) => object === undefined;
  if (states.some((state) => state === text)) return (object) => object?.['state'] === text;
  const [, field = '', value] = /^([\w.]+)=([^]*)$/.exec(text) ?? [];
  if (field === '') throw new CommandError(`--for is ${states.join(', ')}, removed, or field=value, not: ${text}`);
  const read = valueOf(kind, field);
  return (object) => {
    const current = object === undefined ? undefined : read(object);
    return current !== undefined && (typeof current === 'string' ? current : JSON.stringify(current)) === value;
  };
}

export const isWaiting = true;

export async function run(call: CommandCall): Promise<undefined> {
  const { kind, name } = onlyObject(call.args);
  const isMet = conditionOf(kind, call.options.text('for'));
  const client = await call.connect();
  await untilTrue(call, async (signal) => {
    let object: Fields | undefined;
    try {
      ({ object } = await findObject(client, kind, name, { signal }));
    } catch (error) {
      const isMissing =
        error instanceof CommandError
          ? error.exit === 'missing'
          : error instanceof InventoryError && error.http === 404;
      if (!isMissing) throw error;
    }
    return isMet(object) ? true : undefined;
  });
}
