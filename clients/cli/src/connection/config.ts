import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../../typescript/src/replace-file.ts';
import { CommandError } from '../core/exit-codes.ts';
import { isFields, parseJson } from '../core/values.ts';
import type { World } from '../core/world.ts';

/** A server, and where its key is; never the key itself: the file can be shared. */
export interface Context {
  url: string;
  ca?: string;
  insecure?: boolean;
  key_file?: string;
  /** Prints the key: `pass show inventory`. */
  key_command?: string;
}

export interface Config {
  current?: string;
  contexts: Record<string, Context>;
}

export interface Credential {
  key: string;
  expires_at?: string;
}

export function folderOf({ env }: World): string {
  const { XDG_CONFIG_HOME: base, HOME: home } = env;
  if (base !== undefined && base !== '') return join(base, 'inventory');
  if (home === undefined || home === '') throw new CommandError('Set HOME or XDG_CONFIG_HOME.', 'failed');
  return join(home, '.config', 'inventory');
}

const CONFIG = 'config.yaml';
const CREDENTIALS = 'credentials.json';

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandError(`${path}: ${error instanceof Error ? error.message : String(error)}`, 'failed');
  }
}

/** @throws CommandError if no file can be written there. */
export function checkWritable(path: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
  rmSync(temporary);
}

function writeInFolder(world: World, name: string, text: string): void {
  const folder = folderOf(world);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  replaceFile(join(folder, name), text);
}

const words = ['url', 'ca', 'key_file', 'key_command'] as const;

function contextOf(value: unknown): Context | undefined {
  if (!isFields(value)) return undefined;
  const texts: Partial<Record<(typeof words)[number], string>> = {};
  for (const name of words) {
    const text = value[name];
    if (typeof text === 'string') texts[name] = text;
    else if (text !== undefined) return undefined;
  }
  const { url, ...rest } = texts;
  return url === undefined ? undefined : { url, ...rest, ...(value['insecure'] === true ? { insecure: true } : {}) };
}

export async function readConfig(world: World): Promise<Config> {
  const path = join(folderOf(world), CONFIG);
  const text = await textOf(path);
  if (text === undefined) return { contexts: {} };
  const { parse } = await import('yaml');
  const wrong = (what: string) => new CommandError(`${path}: ${what}`);
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'not YAML');
  }
  const { current, contexts = {} } = isFields(value) ? value : {};
  if (!isFields(contexts)) throw wrong('contexts is no mapping');
  const entries = Object.entries(contexts).map(([name, contextFields]): [string, Context] => {
    const context = contextOf(contextFields);
    if (context === undefined) throw wrong(`the context ${name} has no url, or a field that is no text`);
    return [name, context];
  });
  return { ...(typeof current === 'string' ? { current } : {}), contexts: Object.fromEntries(entries) };
}

export async function writeConfig(world: World, config: Config): Promise<void> {
  const { stringify } = await import('yaml');
  writeInFolder(world, CONFIG, stringify(config));
}

/** @throws CommandError if others can read the file. */
export async function readCredentials(world: World): Promise<Map<string, Credential>> {
  const path = join(folderOf(world), CREDENTIALS);
  const text = await textOf(path);
  if (text === undefined) return new Map();
  if (((await stat(path)).mode & 0o077) !== 0)
    throw new CommandError(`${path} can be read by other users: run chmod 600 ${path}`, 'denied');
  const value = parseJson(text, () => new CommandError(`${path} is not JSON.`));
  return new Map(
    Object.entries(isFields(value) ? value : {}).flatMap(([name, credential]): [string, Credential][] => {
      if (!isFields(credential) || typeof credential['key'] !== 'string') return [];
      const { key, expires_at: expires } = credential;
      return [[name, { key, ...(typeof expires === 'string' ? { expires_at: expires } : {}) }]];
    }),
  );
}

/** Stores the credential of a context, or removes it. */
export async function storeCredential(world: World, name: string, credential: Credential | undefined): Promise<void> {
  const all = await readCredentials(world);
  if (credential === undefined) all.delete(name);
  else all.set(name, credential);
  writeInFolder(world, CREDENTIALS, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}
