import { InventoryError } from '../../../typescript/src/error.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { shownNames } from '../objects/agents.ts';
import { bodyOfCall, fileOption } from '../files/body-file.ts';
import {
  bodyField,
  checkOptions,
  labelOption,
  noField,
  setAt,
  sharedOptions,
  valueOfText,
} from '../command/body-flags.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { labelIn } from '../core/field-names.ts';
import { firstObject } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { type FleetObject, type KindName, kindNames, layoutOf, operationsOf } from '../objects/objects.ts';
import { withIds } from '../objects/references.ts';
import { type Fields, fieldsOf } from '../core/values.ts';

const wrong = (text: string) =>
  new CommandError(`Not a change such as region=eu, label.team=dba, or with a minus at the end: label.old- : ${text}`);

export const options: readonly OptionSpec[] = [
  { ...labelOption, flags: '--label <change>', description: 'a custom label: name=value, or name- to remove it' },
  fileOption,
  ...sharedOptions(kindNames),
];

export const note = 'Fields are also options, as in inventory set: --region eu, --port 3306.';

/** The fields to change, with those that words add: `region=eu`, `label.team=dba`, and `label.old-` or `az-` to clear. */
function patchWith(kind: KindName, given: Fields, changes: readonly string[]): Fields {
  const patch = { ...given };
  for (const text of changes) {
    const [, path = '', value] = /^([\w.-]+?)(?:=([^]*)|-)$/.exec(text) ?? [];
    if (path === '') throw wrong(text);
    const label = labelIn(path);
    if (label !== undefined) {
      patch['custom_labels'] = { ...fieldsOf(patch['custom_labels'] ?? {}), [label]: value ?? null };
      continue;
    }
    const field = bodyField(kind, path);
    if (field === undefined) throw noField(kind, path);
    setAt(patch, field.path, value === undefined ? null : valueOfText(field, value));
  }
  return patch;
}

const differing = (before: Fields, after: Fields) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

/**
 * Changes the revision that was read. If somebody else has changed the object, shows both and asks whether to repeat.
 *
 * @throws InventoryError with 412 without a terminal.
 */
export async function sendPatch(
  client: Client,
  { kind, id, object }: FleetObject,
  patch: Fields,
  { world }: Pick<CommandCall, 'world'>,
): Promise<Fields> {
  const operations = operationsOf(kind);
  const idField = `${kind}_id`;
  for (let before = object; ;) {
    try {
      return fieldsOf(
        await operations.change(client, { ...patch, [idField]: id }, { ifMatch: Number(before['revision']) }),
      );
    } catch (error) {
      if (!(error instanceof InventoryError) || error.http !== 412) throw error;
      const now = fieldsOf(await operations.get(client, { [idField]: id }));
      for (const name of differing(before, now))
        world.err(
          `${name}: was ${JSON.stringify(before[name])}, is ${JSON.stringify(now[name])}, yours: ${JSON.stringify(patch[name])}\n`,
        );
      if (world.ask === undefined || !/^y/i.test(await world.ask('Somebody has changed it. Repeat? [y/N] ')))
        throw error;
      before = now;
    }
  }
}

export async function run(call: CommandCall): Promise<undefined> {
  const { args, output, connect } = call;
  const [{ kind, name }, changes] = firstObject(args);
  checkOptions(kind, kindNames, call.options);
  const patch = patchWith(kind, await bodyOfCall(kind, call, true), changes);
  if (Object.keys(patch).length === 0) throw wrong('nothing');
  const client = await connect();
  const target = await findObject(client, kind, name);
  const object = await sendPatch(client, target, await withIds(client, patch), call);
  if (output.isForPeople) {
    const [shown = ''] = await shownNames(client, [{ kind, object }]);
    output.line(`${shown} changed, revision ${String(object['revision'])}`);
  } else await output.object(object, layoutOf(operationsOf(kind).items));
}
