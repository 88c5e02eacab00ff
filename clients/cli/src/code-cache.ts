import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { replaceFile } from '../../typescript/src/replace-file.ts';

/** The bytes of a SHA-256. */
const DIGEST_BYTES = 32;

/** Of this user, and no other one can write it: a code cache decides what the program does. */
const isOwn = ({ uid, mode }: Stats) => uid === process.getuid?.() && (mode & 0o022) === 0;

/** Binds the code cache to the program, and finds damage: V8 checks neither, and a damaged cache ends the process. */
const digestOf = (program: Buffer, code: Buffer) => createHash('sha256').update(program).update(code).digest();

/** The code cache in the file; undefined if there is none for the program, or another user can have written it. */
function readCode(path: string, program: Buffer): Buffer | undefined {
  if (!isOwn(lstatSync(dirname(path)))) return undefined;
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (!isOwn(fstatSync(file))) return undefined;
    const content = readFileSync(file);
    const code = content.subarray(DIGEST_BYTES);
    return digestOf(program, code).equals(content.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } finally {
    closeSync(file);
  }
}

function writeCode(path: string, program: Buffer, code: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (isOwn(lstatSync(dirname(path)))) replaceFile(path, Buffer.concat([digestOf(program, code), code]));
}

/** The value, or undefined after any error: the program runs without a cache too. */
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/**
 * The file of the code cache. Each command has its own, because a cache contains the functions that have run. Undefined if
 * there is no folder for caches, or if the system does not tell who can write a file.
 */
function pathOf({ XDG_CACHE_HOME: base, HOME: home }: NodeJS.ProcessEnv, command = ''): string | undefined {
  const caches = base || (home && join(home, '.cache'));
  if (!caches || process.getuid === undefined || !/^[a-z][a-z-]{0,30}$/.test(command)) return undefined;
  return join(caches, 'monitoring-inventory', `${command}-${process.version}-${process.arch}.code`);
}

/** The parts of the process that the cache depends on. */
interface CacheContext {
  env: NodeJS.ProcessEnv;
  /** Starts work with the exit code when the process ends. */
  atExit: (work: (code: number) => void) => void;
}

/**
 * Runs a CommonJS program that requires modules of Node only. Its compiled form is kept among the caches of the user:
 * to compile the program takes longer than a list of nodes.
 *
 * @param command the first argument of the program.
 */
export function runWithCodeCache(
  filename: string,
  command: string | undefined,
  { env, atExit }: CacheContext = { env: process.env, atExit: (work) => void process.once('exit', work) },
): void {
  const program = readFileSync(filename);
  const path = pathOf(env, command);
  const cachedData = path === undefined ? undefined : attempt(() => readCode(path, program));
  // The first line of the program can be one for the shell. esbuild writes ASCII.
  const text = `(function(exports,require,module){//${program.toString('latin1')}\n})`;
  const script = new Script(text, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
  if (path !== undefined && (cachedData === undefined || script.cachedDataRejected === true))
    atExit((code) => {
      // A wrong command is no reason for a file.
      if (code === 0) attempt(() => writeCode(path, program, script.createCachedData()));
    });
  const start: unknown = script.runInThisContext();
  const module = { exports: {} };
  if (typeof start === 'function') Reflect.apply(start, undefined, [module.exports, createRequire(filename), module]);
}
