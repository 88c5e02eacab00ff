import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createClient } from '../../../typescript/src/client.ts';
import { nodeFetch } from '../../../typescript/src/node.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import type { Secret } from '../../../typescript/src/options.ts';
import { baseAddressOf, keyOf, namingCa } from '../../../typescript/src/permanent.ts';
import { type Config, type Context, readConfig, readCredentials } from './config.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { Options } from '../core/options.ts';
import type { World } from '../core/world.ts';

/** Which server a command speaks to, and how. */
export interface Settings {
  url: string;
  /** The context that the address or the key is of. */
  context: string | undefined;
  ca: string | undefined;
  insecure: boolean;
  key: Secret | undefined;
  /** Where the key comes from; without a key, how to give one. */
  keySource: string;
  keyFile: string | undefined;
  /** Of one request, in milliseconds. */
  timeout: number;
}

async function textOfFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** The key in a file, which is read for each request: a rotated key counts at once. */
const keyOfFile = (file: string) => async () => keyOf(await textOfFile(file), file);

/** The certificates in a file. */
async function certificatesIn(file: string): Promise<string> {
  const text = await textOfFile(file);
  if (!text.includes('-----BEGIN ')) throw new CommandError(`${file} contains no certificate in PEM.`);
  return text;
}

/** The key that a command prints. The command runs in a shell, as it was typed. */
export const keyOfCommand = async (command: string): Promise<string> =>
  keyOf(await outputOf(command), 'The output of the key_command');

/** Returns the output of a command, which is not empty. */
async function outputOf(command: string): Promise<string> {
  try {
    // It takes longer to load than a list of nodes to print.
    const { execFile } = await import('node:child_process');
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
    if (stdout.trim() !== '') return stdout;
  } catch {
    // The output of a command that failed may contain the key: it is not shown.
  }
  throw new CommandError('The key_command of the context failed or printed nothing.', 'denied');
}

interface Key {
  key?: Secret;
  keySource: string;
  keyFile?: string;
}

async function keyOfContext(
  world: World,
  name: string,
  { key_file: file, key_command: command }: Context,
): Promise<Key> {
  if (file !== undefined) return { key: keyOfFile(file), keySource: file, keyFile: file };
  if (command !== undefined) {
    let printed: Promise<string> | undefined;
    return { key: () => (printed ??= keyOfCommand(command)), keySource: 'the key_command of the context' };
  }
  const credential = (await readCredentials(world)).get(name);
  if (credential === undefined) return { keySource: `run inventory login --context ${name}` };
  const { key, expires_at: expires } = credential;
  if (expires !== undefined && Date.parse(expires) < world.clock.now())
    throw new CommandError(`The session of ${name} has expired: run inventory login --context ${name}`, 'denied');
  return { key, keySource: 'inventory login' };
}

/** The context by its name, or the current one. */
export function contextIn({ contexts, current }: Config, given: string | undefined): [string, Context] | undefined {
  const name = given ?? current;
  const context = name === undefined || !Object.hasOwn(contexts, name) ? undefined : contexts[name];
  if (name !== undefined && context !== undefined) return [name, context];
  if (name === undefined) return undefined;
  const contextNames = Object.keys(contexts);
  throw new CommandError(
    `There is no context ${name}. ${contextNames.length === 0 ? 'Run inventory login.' : `There are: ${contextNames.join(', ')}.`}`,
  );
}

/** The address of a server. @param source where it is stated, for the error. */
export const addressOf = (text: string, source = 'The address'): string => baseAddressOf(text, source);

export const isInsecureIn = ({ INVENTORY_INSECURE: value = '' }: World['env']) => /^(1|true)$/.test(value);

/** Of one request, in milliseconds. */
export const timeoutOf = (options: Options): number => options.time('timeout') ?? 30_000;

/** In the order option, environment, context. The key of a context is used for the address of that context only. */
export async function settingsOf(options: Options, world: World): Promise<Settings> {
  const chosen = options.text('context');
  // A context that is chosen for this command precedes the environment.
  const env = chosen === undefined ? world.env : {};
  const option = options.text('url');
  const given = option ?? (env['INVENTORY_URL'] || undefined);
  const keyFile = options.text('keyFile') ?? (env['INVENTORY_KEY_FILE'] || undefined);
  const named = chosen ?? (env['INVENTORY_CONTEXT'] || undefined);
  const needsContext = named !== undefined || given === undefined || (keyFile ?? env['INVENTORY_KEY']) === undefined;
  const selected = needsContext ? contextIn(await readConfig(world), named) : undefined;
  const url = given ?? selected?.[1].url;
  if (url === undefined) throw new CommandError('No server: run inventory login URL, or set INVENTORY_URL.');
  const source = option === undefined ? 'INVENTORY_URL' : '--url';
  const address = addressOf(url, given === undefined ? `The url of the context ${selected?.[0] ?? ''}` : source);
  const [name, context] = selected !== undefined && addressOf(selected[1].url) === address ? selected : [];
  const key: Key =
    options.text('keyFile') === undefined && env['INVENTORY_KEY']
      ? { key: keyOf(env['INVENTORY_KEY'], 'INVENTORY_KEY'), keySource: 'INVENTORY_KEY' }
      : keyFile !== undefined
        ? { key: keyOfFile(keyFile), keySource: keyFile, keyFile }
        : name !== undefined && context !== undefined
          ? await keyOfContext(world, name, context)
          : { keySource: 'set INVENTORY_KEY or INVENTORY_KEY_FILE, or run inventory login' };
  return {
    url: address,
    context: name,
    ca: options.text('ca') ?? (env['INVENTORY_CA'] || context?.ca),
    insecure: options.flag('insecure') || isInsecureIn(env) || context?.insecure === true,
    key: key.key,
    keySource: key.keySource,
    keyFile: key.keyFile,
    timeout: timeoutOf(options),
  };
}

/** How to reach a server; a log-in has no key yet. */
export type Connection = Pick<Settings, 'url' | 'ca' | 'insecure' | 'timeout'> & Partial<Pick<Settings, 'key'>>;

export type Credentials = { key?: Secret | undefined } | { user: string; password: string };

/** A client of the server; by default with the key of the settings. */
export async function clientOf(
  { url, ca: caFile, insecure, key, timeout }: Connection,
  options: Options,
  world: World,
  credentials: Credentials = { key },
): Promise<Client> {
  const isQuiet = options.flag('quiet');
  if (insecure && !isQuiet) world.err('Warning: the certificate of the server is not verified.\n');
  const ca = caFile === undefined ? undefined : await certificatesIn(caFile);
  const send = namingCa(world.fetch ?? nodeFetch({ ca, insecure, env: world.env }), url, '--ca FILE');
  const debug = options.flag('debug');
  return createClient({
    url,
    timeout,
    ...credentials,
    userAgent: 'inventory-cli',
    fetch: async (address, init) => {
      const reply = await send(address, init);
      if (debug) world.err(`${init.method} ${address} ${reply.status} ${reply.headers.get('X-Request-Id') ?? ''}\n`);
      return reply;
    },
    onRetry: ({ operation, wait, cause }) => {
      if (!isQuiet) world.err(`${operation}: ${cause.message} Again in ${Math.ceil(wait / 1000)} s.\n`);
    },
    onSunset: ({ operation, sunset }) => {
      if (!isQuiet) world.err(`Warning: ${operation} ends on ${sunset}.\n`);
    },
  });
}
