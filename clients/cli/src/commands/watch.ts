import { followChanges } from '../../../typescript/src/flows/changes.ts';
import type { Change } from '../../../typescript/src/generated/types.ts';
import { changeLayout, changeRows } from '../objects/changes.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { checkWritable } from '../connection/config.ts';
import { openCursorFile } from '../files/cursor-file.ts';
import { CommandError, type Exit } from '../core/exit-codes.ts';
import { limitedSignal } from '../command/polling.ts';
import { runShell } from '../core/processes.ts';
import { fieldsOf } from '../core/values.ts';
import type { World } from '../core/world.ts';

const kinds = ['node', 'service', 'agent', 'state'] as const;

export const options: readonly OptionSpec[] = [
  { flags: '--since <cursor>', description: 'a stored cursor; default: changes from now on' },
  { flags: '--kinds <kinds>', description: `only these kinds, separated by commas: ${kinds.join(', ')}` },
  { flags: '--cursor-file <file>', description: 'continue where this file says, and store there what is done' },
  {
    flags: '--exec <command>',
    description: 'run a command for each change, with the change as JSON on its standard input',
  },
  { flags: '--once', description: 'end when there are no more changes' },
];

function kindsOf(text: string | undefined): (typeof kinds)[number][] | undefined {
  return text?.split(',').map((word) => {
    const kind = kinds.find((candidate) => candidate === word);
    if (kind === undefined) throw new CommandError(`--kinds are ${kinds.join(', ')}, not: ${word}`);
    return kind;
  });
}

/** @throws CommandError if the command fails: the change is then not done. */
async function runFor(change: Change, command: string, world: World): Promise<void> {
  if ((await runShell(command, world, { input: JSON.stringify(change) })) !== 0)
    throw new CommandError(`The command of --exec failed for the change ${change.change_id}.`, 'failed');
}

export const isOrderly = true;

export const isWaiting = true;

export async function run({ options: given, output, connect, world }: CommandCall): Promise<Exit | undefined> {
  const file = given.text('cursorFile');
  const command = given.text('exec');
  if (file !== undefined) checkWritable(file);
  const client = await connect();
  const { signal, isOver } = limitedSignal({ options: given, world });
  const progress = await openCursorFile(file, given.text('since'));
  const names = new Map<string, string>();
  let hasHead = false;
  try {
    for await (const { changes, cursor } of followChanges(client, {
      since: progress.cursor,
      kinds: kindsOf(given.text('kinds')),
      once: given.flag('once'),
      signal,
      timeout: 60_000,
    })) {
      for (const change of changes) {
        if (command === undefined || progress.isDone(change.change_id)) continue;
        await runFor(change, command, world);
        progress.storeChange(change.change_id);
      }
      if (command === undefined && output.format === 'json')
        for (const change of changes) output.line(JSON.stringify(change));
      else if (command === undefined && changes.length > 0) {
        const rows = output.isTable ? await changeRows(client, changes, names) : changes.map(fieldsOf);
        await output.list(rows, changeLayout, hasHead);
        hasHead = true;
      }
      progress.storePage(
        cursor,
        changes.map((change) => change.change_id),
      );
    }
  } catch (error) {
    if (isOver()) return 'unanswered';
    throw error;
  }
  return undefined;
}
