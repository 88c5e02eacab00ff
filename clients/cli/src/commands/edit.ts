import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InventoryError } from '../../../typescript/src/error.ts';
import { shownNames } from '../agents.ts';
import { changeableFields } from '../body-flags.ts';
import type { CommandCall } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { onlyObject } from '../object-words.ts';
import { findObject } from '../objects.ts';
import { type Fields, isFields } from '../values.ts';
import { runShell } from '../processes.ts';
import type { World } from '../world.ts';
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

/** Lets the person edit the text in their editor. The file is readable by its owner only, and is removed. */
async function edited(text: string, world: World): Promise<string> {
  const { VISUAL, EDITOR } = world.env;
  const editor = VISUAL || EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'inventory-'));
  // Synchronous: an editor that does not end leaves no file either.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  world.leaving.addEventListener('abort', remove);
  try {
    const file = join(folder, 'object.yaml');
    writeFileSync(file, text, { mode: 0o600 });
    const code = await runShell(`${editor} "$1"`, world, { argument: file, signal: world.signal });
    world.signal.throwIfAborted();
    if (code !== 0) throw new CommandError(`${editor} failed: nothing was changed.`, 'failed');
    return await readFile(file, 'utf8');
  } finally {
    remove();
    world.leaving.removeEventListener('abort', remove);
  }
}

export const isOrderly = true;

export async function run(call: CommandCall): Promise<undefined> {
  const { world, output, connect } = call;
  const { kind, name } = onlyObject(call.args);
  const client = await connect();
  const found = await findObject(client, kind, name, { signal: world.signal });
  const before = changeableFields(kind, found.object);
  const { parse, stringify } = await import('yaml');
  let text = stringify(before);
  for (let problem = ''; ;) {
    const shown = `${problem === '' ? '' : `# ${problem}\n`}${text}`;
    text = (await edited(shown, world)).replace(/^#.*\n/gm, '');
    if (problem !== '' && `# ${problem}\n${text}` === shown) throw new CommandError(problem);
    try {
      const after: unknown = parse(text) ?? {};
      if (!isFields(after)) throw new CommandError('The file contains no object.');
      const patch = patchBetween(before, after);
      if (Object.keys(patch).length === 0) {
        world.err('Nothing was changed.\n');
        return;
      }
      await sendPatch(client, found, patch, call);
      output.line(`${(await shownNames(client, [found])).join()} changed`);
      return;
    } catch (error) {
      // A mistake in the text can be corrected; the text is not lost.
      const isMistake = !(error instanceof InventoryError) || error.status === 'INVALID_ARGUMENT';
      if (!isMistake || !(error instanceof Error)) {
        world.err(text);
        throw error;
      }
      problem = error.message.replace(/\s*\n\s*/g, ' ');
    }
  }
}
