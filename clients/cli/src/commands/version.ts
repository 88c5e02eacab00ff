import { getVersion } from '../../../typescript/src/generated/operations.ts';
import { VERSION } from '../../../typescript/src/generated/version.ts';
import type { CommandCall } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';

export async function run({ output, settings, connect }: CommandCall): Promise<undefined> {
  let isKnown = true;
  try {
    await settings();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    isKnown = false;
  }
  // Without a server, the version of the program is the answer.
  const server = isKnown ? { server: (await getVersion(await connect())).build.version } : {};
  await output.object({ inventory: VERSION, ...server }, { columns: ['inventory', 'server'] });
}
