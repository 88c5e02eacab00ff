import { addSession, getCaller, listLogInMethods, logIn } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import type { CommandCall, OptionSpec } from '../command.ts';
import { type Context, type Credential, readConfig, storeCredential, writeConfig } from '../config.ts';
import { logInByDevice } from '../device-log-in.ts';
import { CommandError } from '../exit-codes.ts';
import { addressOf, clientOf, contextIn, outputOf, type Settings, settingsOf } from '../settings.ts';
import { Options } from '../options.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--key-stdin', description: 'store the API key that the standard input contains' },
  { flags: '--key-command <command>', description: 'store a command that prints the key, instead of a key' },
  { flags: '--device', description: 'show a code to enter in the console, where you are logged in' },
  { flags: '--user <name>', description: 'name of the user; it is asked for by default' },
];

/** The account that is no user: it logs in with Basic. */
const ADMIN = 'admin';

/** Whether people log in with a password. A server that cannot say it is older than this question, and has passwords. */
async function hasPasswords(client: Client): Promise<boolean> {
  const methods = await listLogInMethods(client).then(
    (reply) => reply.methods,
    () => [],
  );
  return methods.length === 0 || methods.some(({ method }) => method === 'password');
}

/** The credential to store; none if the context has a command. */
async function credentialOf(
  { options: given, world }: CommandCall,
  settings: Settings,
): Promise<Credential | undefined> {
  const command = given.text('keyCommand');
  if (command !== undefined || given.flag('keyStdin')) {
    const key = command === undefined ? (await world.readInput()).trim() : await outputOf(command);
    if (key === '') throw new CommandError('The standard input contains no key.');
    const { expires_at: expires } = await getCaller(await clientOf(settings, given, world, { key }));
    return command === undefined ? { key, ...(expires === undefined ? {} : { expires_at: expires }) } : undefined;
  }
  const client = await clientOf(settings, given, world, {});
  if (given.flag('device') || (given.text('user') === undefined && !(await hasPasswords(client))))
    return logInByDevice(client, settings.url, world);
  if (world.ask === undefined)
    throw new CommandError('There is no terminal: use --device, --key-stdin or --key-command.');
  const user = given.text('user') ?? (await world.ask('User: '));
  const password = await world.ask('Password: ', true);
  const session =
    user === ADMIN
      ? addSession(await clientOf(settings, given, world, { user, password }))
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
    named ?? Object.entries(config.contexts).find(([, one]) => one.url === address)?.[0] ?? new URL(address).host;
  const before = config.contexts[name];
  const ca = given.text('ca') ?? before?.ca;
  const command = given.text('keyCommand');
  const context: Context = {
    url: address,
    ...(ca === undefined ? {} : { ca }),
    ...(given.flag('insecure') || before?.insecure === true ? { insecure: true } : {}),
    ...(command === undefined ? {} : { key_command: command }),
  };
  // Neither a key nor another address of the environment counts here.
  const settings = await settingsOf(new Options({ url: address, timeout: given.text('timeout') }), {
    ...world,
    env: { HOME: world.env['HOME'], XDG_CONFIG_HOME: world.env['XDG_CONFIG_HOME'] },
  });
  const credential = await credentialOf(call, { ...settings, ca: context.ca, insecure: context.insecure === true });
  await storeCredential(world, name, credential);
  await writeConfig(world, { current: name, contexts: { ...config.contexts, [name]: context } });
  if (!given.flag('quiet'))
    world.err(
      `Logged in to ${address} as context ${name}${credential?.expires_at === undefined ? '' : ` until ${credential.expires_at}`}.\n`,
    );
}
