import { replaceFile } from '../../../typescript/src/replace-file.ts';
import { checkWritable, type Credential, storeCredential } from '../connection/config.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { formatsOfValues } from '../output/output.ts';

export const outOption: OptionSpec = {
  flags: '--out <file>',
  description: 'write the secret to this file, readable by you only',
};

/** Checks the file and the format before the secret exists: a secret that cannot be shown would be lost. */
export function checkOut({ name, options, output }: CommandCall): void {
  const file = options.text('out');
  if (file !== undefined) checkWritable(file);
  else output.check(`${name} without --out`, formatsOfValues);
}

/** Shows a credential whose secret is stored; with --quiet only to programs. */
export async function showCredential({ options, output }: CommandCall, credential: object): Promise<void> {
  if (options.flag('quiet') && output.isForPeople) return;
  await output.object({ ...credential }, { columns: Object.keys(credential) });
}

/** Gives the secret once: to the file, or to the standard output. */
export async function giveSecret(call: CommandCall, secret: Record<string, string>, rest: object): Promise<undefined> {
  const { options, output, world } = call;
  const [text = ''] = Object.values(secret);
  const file = options.text('out');
  if (file !== undefined) {
    replaceFile(file, `${text}\n`);
    await showCredential(call, rest);
  } else if (output.isForPeople) {
    world.err('The secret is shown only this once.\n');
    output.line(text);
  } else await output.value({ ...rest, ...secret });
}

/** A function that stores a key where the settings of the call read it. */
export async function storeSecret({ options, settings, world }: CommandCall): Promise<(key: string) => Promise<void>> {
  const { keyFile, keySource, context } = await settings();
  const file = options.text('out') ?? keyFile;
  if (file !== undefined) checkWritable(file);
  if (file !== undefined)
    return (key) => {
      replaceFile(file, `${key}\n`);
      return Promise.resolve();
    };
  if (keySource !== 'inventory login' || context === undefined)
    throw new CommandError(`The key is from ${keySource}: give --out FILE.`);
  const credential = (key: string): Credential => ({ key });
  return (key) => storeCredential(world, context, credential(key));
}
