import { InventoryError } from '../../../typescript/src/error.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { shownNames } from '../objects/agents.ts';
import { bodyOfCall, fileOption } from '../files/body-file.ts';
import { bodyOptions, labelOption } from '../command/body-flags.ts';
import { clearedBy, clearedText, declaredObject } from '../command/cleared.ts';
import type { Action, CommandCall, OptionSpec } from '../command/command.ts';
import { confirm } from '../command/confirm.ts';
import { CommandError } from '../core/exit-codes.ts';
import { type KindName, layoutOf, operationsOf } from '../objects/objects.ts';
import { withIds } from '../objects/references.ts';
import { type Fields, fieldsOf } from '../core/values.ts';

/** The field that the argument gives: nodes and services have names, agents a type. */
const argumentOf = (kind: KindName) => (kind === 'agent' ? 'agent_type' : `${kind}_name`);

/** The error about an agent that needs an agent process and has a node instead, as the option to use. */
function withOption(error: unknown, { agent_type: type, runs_on_node_id: node }: Fields): unknown {
  if (!(error instanceof InventoryError) || typeof type !== 'string' || typeof node !== 'string') return error;
  if (!error.details.some(({ field }) => field === 'pmm_agent_id')) return error;
  return new CommandError(
    `An agent of the type ${type} runs under the pmm_agent of its node: use --pmm-agent-id ${node} instead of --runs-on-node-id.`,
  );
}

type Send = (client: Client, call: CommandCall, body: Fields) => Promise<[Fields, string]>;

function action(kind: KindName, more: readonly OptionSpec[], send: Send): Action {
  return {
    options: [...bodyOptions(kind, [argumentOf(kind)]), labelOption, fileOption, ...more],
    run: async (call) => {
      const client = await call.connect();
      const given = { ...(await bodyOfCall(kind, call)), [argumentOf(kind)]: call.args[0] };
      const body = await withIds(client, given);
      const [object, outcome] = await send(client, call, body).catch((error: unknown): never => {
        throw withOption(error, given);
      });
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
  action(kind, [], async (client, _, body) => [fieldsOf(await operationsOf(kind).add(client, body)), 'added']);

/**
 * Adds or changes an object, so that it is as given. Says which values that clears, and asks a person first.
 *
 * @throws CommandError if the person declines.
 */
async function declare(kind: KindName, client: Client, call: CommandCall, body: Fields): Promise<[Fields, string]> {
  const { options, world } = call;
  for (;;) {
    const before = await declaredObject(client, kind, body);
    const cleared = before === undefined ? [] : clearedBy(kind, before, body);
    const text = await clearedText(client, cleared);
    const [name = ''] = before === undefined ? [] : await shownNames(client, [{ kind, object: before }]);
    const isAsked = text !== '' && world.ask !== undefined && !options.flag('yes');
    if (isAsked) await confirm(`This clears values of ${name}: ${text}. Continue?`, call);
    try {
      // The answer is about this revision.
      const condition = isAsked ? { ifMatch: Number(before?.['revision']) } : {};
      const { outcome, ...object } = await operationsOf(kind).upsert(client, body, condition);
      if (text !== '' && !isAsked && !options.flag('quiet')) world.err(`${name}: ${text}\n`);
      return [fieldsOf(object), outcome];
    } catch (error) {
      if (!isAsked || !(error instanceof InventoryError) || error.http !== 412) throw error;
    }
  }
}

export const declaration = (kind: KindName): Action => ({
  ...action(kind, [{ flags: '-y, --yes', description: 'do not ask before values are cleared' }], (...call) =>
    declare(kind, ...call),
  ),
  note: 'Fields and labels that are not given are cleared. To change single ones: inventory change.',
});
