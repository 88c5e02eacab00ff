import { endSession, getCaller } from '../../../typescript/src/generated/operations.ts';
import { InventoryError } from '../../../typescript/src/error.ts';
import type { CommandCall } from '../command/command.ts';
import { readConfig, readCredentials, storeCredential } from '../connection/config.ts';
import { CommandError } from '../core/exit-codes.ts';
import { clientOf, contextIn, settingsOf } from '../connection/settings.ts';
import { Options } from '../core/options.ts';

export async function run({ options, world }: CommandCall): Promise<undefined> {
  const [name] = contextIn(await readConfig(world), options.text('context') ?? world.env['INVENTORY_CONTEXT']) ?? [];
  const credential = name === undefined ? undefined : (await readCredentials(world)).get(name);
  if (name === undefined || credential === undefined) throw new CommandError('No key is stored.', 'missing');
  const logoutOptions = new Options({ context: name, timeout: options.text('timeout') });
  try {
    const client = await clientOf(await settingsOf(logoutOptions, world), options, world, { key: credential.key });
    const { kind, id } = await getCaller(client);
    if (kind === 'session') await endSession(client, { session_id: id });
  } catch (error) {
    // A session that has ended is what is wanted.
    const hasEnded =
      error instanceof CommandError ? error.exit === 'denied' : error instanceof InventoryError && error.http === 401;
    if (!hasEnded) throw error;
  }
  await storeCredential(world, name, undefined);
}
