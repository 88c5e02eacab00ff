import { shownNames } from '../agents.ts';
import { bodyOfCall, fileOption } from '../body-file.ts';
import { bodyOptions, labelOption } from '../body-flags.ts';
import type { Action, CommandCall } from '../command.ts';
import { type KindName, layoutOf, operationsOf } from '../objects.ts';
import { withIds } from '../references.ts';
import { type Fields, fieldsOf } from '../values.ts';

/** The field that the argument gives: nodes and services have names, agents a type. */
const argumentOf = (kind: KindName) => (kind === 'agent' ? 'agent_type' : `${kind}_name`);

function action(kind: KindName, send: (call: CommandCall, body: Fields) => Promise<[Fields, string]>): Action {
  return {
    options: [...bodyOptions(kind, [argumentOf(kind)]), labelOption, fileOption],
    run: async (call) => {
      const client = await call.connect();
      const given = { ...(await bodyOfCall(kind, call)), [argumentOf(kind)]: call.args[0] };
      const body = await withIds(client, given);
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
