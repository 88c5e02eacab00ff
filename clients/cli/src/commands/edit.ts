import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify, YAMLParseError } from 'yaml';
import { InventoryError } from '../../../typescript/src/error.ts';
import { shownNames } from '../objects/agents.ts';
import { changeableFields } from '../command/body-flags.ts';
import type { CommandCall } from '../command/command.ts';
import { CommandError, lineOf } from '../core/exit-codes.ts';
import { onlyObject } from '../objects/object-words.ts';
import { findObject } from '../objects/find-object.ts';
import { type FleetObject } from '../objects/objects.ts';
import { runShell } from '../core/processes.ts';
import { type Fields, isFields } from '../core/values.ts';
import type { World } from '../core/world.ts';
import { sendPatch } from './change.ts';

/** A merge patch from one object to another: absent fields are cleared. */
function patchBetween(before: Fields, after: Fields): Fields {
  const patch: Fields = {};
  for (const name of Object.keys({ ...before, ...after })) {
    const [old, next] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(next)) continue;
    patch[name] = isFields(old) && isFields(next) ? patchBetween(old, next) : (next ?? null);
  }
  return patch;
}

/** A text in a file of its own, which only its owner can read. */
interface Draft {
  /** Lets the person edit the text, below a problem. @throws CommandError if the editor fails, or changes nothing then. */
  edit: (problem: string) => Promise<string>;
  /** Removes the file. */
  end: () => void;
  /** Removes the file, unless the person has changed the text: then says where it is. */
  leave: () => void;
}

function openDraft(original: string, world: World): Draft {
  const folder = mkdtempSync(join(tmpdir(), 'inventory-'));
  const file = join(folder, 'object.yaml');
  writeFileSync(file, original, { mode: 0o600 });
  // Without the comments, which have no meaning.
  const read = () => readFileSync(file, 'utf8').replace(/^#.*\n/gm, '');
  const end = () => {
    world.leaving.removeEventListener('abort', leave);
    rmSync(folder, { recursive: true, force: true });
  };
  let isLeft = false;
  // Synchronous: the process may be about to end.
  const leave = () => {
    if (isLeft) return;
    isLeft = true;
    world.leaving.removeEventListener('abort', leave);
    if (existsSync(file) && read() !== original) world.err(`The text is kept in ${file}\n`);
    else end();
  };
  world.leaving.addEventListener('abort', leave);
  const edit = async (problem: string) => {
    const { VISUAL, EDITOR } = world.env;
    const editor = VISUAL || EDITOR || 'vi';
    const before = read();
    writeFileSync(file, `${problem === '' ? '' : `# ${problem}\n`}${before}`);
    const code = await runShell(`${editor} "$1"`, world, { argument: file, signal: world.signal });
    world.signal.throwIfAborted();
    if (code !== 0) throw new CommandError(`${editor} failed: nothing was changed.`, 'failed');
    const after = read();
    if (problem !== '' && after === before) throw new CommandError(problem);
    return after;
  };
  return { edit, end, leave };
}

/** Whether another text could be accepted: this one has a mistake, or a value that another object has. */
function isMistake(error: unknown): boolean {
  if (error instanceof InventoryError) return [400, 409].includes(error.http);
  return error instanceof CommandError ? error.exit === 'usage' : error instanceof YAMLParseError;
}

/** Edits the text until it is accepted. @returns false if it is as it was. */
async function editUntilAccepted(
  draft: Draft,
  target: FleetObject,
  before: Fields,
  call: CommandCall,
): Promise<boolean> {
  const client = await call.connect();
  for (let problem = ''; ;) {
    const text = await draft.edit(problem);
    try {
      const after: unknown = parse(text) ?? {};
      if (!isFields(after)) throw new CommandError('The file contains no object.');
      const patch = patchBetween(before, after);
      if (Object.keys(patch).length === 0) return false;
      await sendPatch(client, target, patch, call);
      return true;
    } catch (error) {
      if (!isMistake(error)) throw error;
      problem = lineOf(error);
    }
  }
}

export const isOrderly = true;

export async function run(call: CommandCall): Promise<undefined> {
  const { world, output, connect } = call;
  const { kind, name } = onlyObject(call.args);
  const client = await connect();
  const target = await findObject(client, kind, name, { signal: world.signal });
  const before = changeableFields(kind, target.object);
  const draft = openDraft(stringify(before), world);
  try {
    const isChanged = await editUntilAccepted(draft, target, before, call);
    draft.end();
    if (isChanged) output.line(`${(await shownNames(client, [target])).join()} changed`);
    else world.err('Nothing was changed.\n');
  } catch (error) {
    draft.leave();
    throw error;
  }
}
