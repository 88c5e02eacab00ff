import { addSession, getCaller, listLogInMethods, logIn } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { resolve } from 'node:path';
import { InventoryError } from '../../../typescript/src/error.ts';
import { keyOf } from '../../../typescript/src/permanent.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { type Context, type Credential, readConfig, storeCredential, writeConfig } from '../connection/config.ts';
import { logInByDevice } from '../connection/device-log-in.ts';
import { CommandError } from '../core/exit-codes.ts';
import {
  addressOf,
  clientOf,
  type Connection,
  contextIn,
  isInsecureIn,
  keyOfCommand,
  timeoutOf,
} from '../connection/settings.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--key-stdin', description: 'store the API key that the standard input contains' },
  { flags: '--key-command <command>', description: 'store a command that prints the key, instead of a key' },
  { flags: '--device', description: 'show a code to enter in the console, where you are logged in' },
  { flags: '--user <name>', description: 'name of the user; it is asked for by default' },
];

/** The account that is no user: it logs in with Basic. */
const ADMIN = 'admin';

/** Whether people log in with a password. A server that refuses this question is older than it, and has passwords. */
async function hasPasswords(client: Client): Promise<boolean> {
  const methods = await listLogInMethods(client).then(
    (reply) => reply.methods,
    (error: unknown) => {
      if (error instanceof InventoryError && error.http !== 0) return [];
      throw error;
    },
  );
  return methods.length === 0 || methods.some(({ method }) => method === 'password');
}

/** The credential to store; none if the context has a command. */
async function credentialOf(
  { options: given, world }: CommandCall,
  connection: Connection,
): Promise<Credential | undefined> {
  const command = given.text('keyCommand');
  if (command !== undefined || given.flag('keyStdin')) {
    const key =
      command === undefined ? keyOf(await world.readInput(), 'The standard input') : await keyOfCommand(command);
    const { expires_at: expires } = await getCaller(await clientOf(connection, given, world, { key }));
    return command === undefined ? { key, ...(expires === undefined ? {} : { expires_at: expires }) } : undefined;
  }
  const client = await clientOf(connection, given, world, {});
  if (given.flag('device') || (given.text('user') === undefined && !(await hasPasswords(client))))
    return logInByDevice(client, connection.url, world);
  if (world.ask === undefined)
    throw new CommandError('There is no terminal: use --device, --key-stdin or --key-command.');
  const user = given.text('user') ?? (await world.ask('User: '));
  const password = await world.ask('Password: ', true);
  const session =
    user === ADMIN
      ? addSession(await clientOf(connection, given, world, { user, password }))
      : logIn(client, { method: 'password', user_name: user, password });
  const { key, expires_at: expires } = await session;
  return { key, expires_at: expires };
}

export async function run(call: CommandCall): Promise<undefined> {
  const { args, options: given, world } = call;
  const config = await readConfig(world);
  const named = given.text('context');
  const isKnown = named !== undefined && Object.hasOwn(config.contexts, named);
  const [, stored] = args[0] === undefined || isKnown ? (contextIn(config, isKnown ? named : undefined) ?? []) : [];
  const url = args[0] ?? given.text('url') ?? stored?.url;
  if (url === undefined) throw new CommandError('Give the address of the server: inventory login https://...');
  const address = addressOf(url);
  const name =
    named ??
    Object.entries(config.contexts).find(([, context]) => context.url === address)?.[0] ??
    new URL(address).host;
  const before = config.contexts[name];
  const file = given.text('ca') ?? (world.env['INVENTORY_CA'] || undefined);
  // Later commands run in other folders.
  const ca = file === undefined ? before?.ca : resolve(file);
  const command = given.text('keyCommand');
  const context: Context = {
    url: address,
    ...(ca === undefined ? {} : { ca }),
    ...(given.flag('insecure') || before?.insecure === true ? { insecure: true } : {}),
    ...(command === undefined ? {} : { key_command: command }),
  };
  // Neither a present key nor another address counts here. A certificate is not verified only where this is said.
  const insecure = context.insecure === true || isInsecureIn(world.env);
  const credential = await credentialOf(call, { url: address, ca, insecure, timeout: timeoutOf(given) });
  await storeCredential(world, name, credential);
  await writeConfig(world, { current: name, contexts: { ...config.contexts, [name]: context } });
  if (!given.flag('quiet'))
    world.err(
      `Logged in to ${address} as context ${name}${credential?.expires_at === undefined ? '' : ` until ${credential.expires_at}`}.\n`,
    );
}
