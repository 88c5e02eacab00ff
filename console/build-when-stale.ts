import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { describeError } from '../shared/http/log.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');

/** What the console in `dist/console` was made from; as old as that. */
const record = join(dist, 'console.json');

export const consoleFolder = join(dist, 'console');

const recordSchema = z.object({ sources: z.array(z.string()) });

/** Whether the console is there and none of its sources is newer, or gone. */
async function isUpToDate(): Promise<boolean> {
  try {
    const [text, { mtimeMs: builtAt }] = await Promise.all([readFile(record, 'utf8'), stat(record)]);
    await stat(join(consoleFolder, 'index.html'));
    const { sources } = z.parse(recordSchema, JSON.parse(text));
    const files = await Promise.all(sources.map((source) => stat(join(root, source))));
    return files.every(({ mtimeMs }) => mtimeMs < builtAt);
  } catch {
    // Never built, or what was built no longer fits: either way it is built anew.
    return false;
  }
}

/** Builds the console into `dist/console`, unless what is there is up to date. */
export async function buildConsoleWhenStale(): Promise<void> {
  if (await isUpToDate()) return;
  // Only now: nothing else here needs esbuild.
  const { buildConsole } = await import('./build.ts');
  const { sources } = await buildConsole(consoleFolder);
  await mkdir(dist, { recursive: true });
  await writeFile(record, JSON.stringify({ sources }));
}

function report(error: unknown): void {
  process.stderr.write(`The console could not be built. The API works without it.\n${describeError(error)}\n`);
}

let built: Promise<void> | undefined;

/**
 * esbuild has one process for all builds of this one. The server ends it with its only build; who else builds at the same time
 * would wait for ever for what was stopped.
 */
async function buildOnce(): Promise<void> {
  if (await isUpToDate()) return;
  await buildConsoleWhenStale();
  await (await import('esbuild')).stop();
}

/** Builds the console if that is necessary, once in the life of the server. */
export function consoleReady(): Promise<void> {
  return (built ??= buildOnce().catch(report));
}

if (import.meta.main) await buildConsoleWhenStale();
