import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { describeError } from '../shared/core/log.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');

/** The sources of the console in the folder `console` beside it. Its modification time is the time of the build. */
const recordIn = (folder: string) => join(folder, 'console.json');

const pagesIn = (folder: string) => join(folder, 'console');

export const consoleFolder = pagesIn(dist);

const recordSchema = z.object({ sources: z.array(z.string()), reload: z.boolean() });

/** The environment variable by which `npm run dev` asks for a console that reloads when it is built again. */
export const RELOADING = 'CONSOLE_RELOAD';

const isReloading = () => process.env[RELOADING] === '1';

/** Whether a folder has the console, and all of its sources exist and are older. */
export async function isUpToDate(folder = dist): Promise<boolean> {
  try {
    const record = recordIn(folder);
    const [text, { mtimeMs: builtAt }] = await Promise.all([readFile(record, 'utf8'), stat(record)]);
    await stat(join(pagesIn(folder), 'index.html'));
    const { sources, reload } = z.parse(recordSchema, JSON.parse(text));
    if (reload !== isReloading()) return false;
    const files = await Promise.all(sources.map((source) => stat(join(root, source))));
    return files.every(({ mtimeMs }) => mtimeMs < builtAt);
  } catch {
    // Never built, or what was built no longer fits: either way it is built anew.
    return false;
  }
}

type Build = (pages: string, reload: boolean) => Promise<{ sources: readonly string[] }>;

/** Loads Vite when it is called: nothing else here needs it. */
const buildByVite: Build = async (...rest) => (await import('./build.ts')).buildConsole(...rest);

/**
 * Builds the console into `dist/console`, unless it is up to date.
 *
 * @returns whether it was built.
 */
export async function buildConsoleWhenStale(folder = dist, build = buildByVite): Promise<boolean> {
  if (await isUpToDate(folder)) return false;
  const reload = isReloading();
  const { sources } = await build(pagesIn(folder), reload);
  await writeFile(recordIn(folder), JSON.stringify({ sources, reload }));
  return true;
}

function report(error: unknown): void {
  process.stderr.write(`The console could not be built. The API works without it.\n${describeError(error)}\n`);
}

let built: Promise<void> | undefined;

/** Builds in a process of its own, so that the server can answer requests, and keeps none of the memory. */
async function buildBeside(): Promise<void> {
  if (await isUpToDate()) return;
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)]);
}

/** Builds the console if that is necessary, once in the life of the server. */
export function consoleReady(): Promise<void> {
  return (built ??= buildBeside().catch(report));
}

if (import.meta.main) await buildConsoleWhenStale();
