#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Prints help from the prepared texts, without the program and without `process.stdout`: each of them takes about as much
 * processor time as the rest. A descriptor that does not block can be full: EAGAIN.
 *
 * @returns whether the arguments ask for a help text of the package.
 */
function printHelp(words: string[]): boolean {
  if (words.length > 3 || !/^(-h|--help)$/.test(words.pop() ?? '')) return false;
  const texts: unknown = JSON.parse(readFileSync(join(__dirname, 'help.json'), 'utf8'));
  const pairs: [string, unknown][] = Object.entries(texts ?? {});
  const [, help] = pairs.find(([name]) => name === words.join(' ')) ?? [];
  if (typeof help !== 'string') return false;
  let text = Buffer.from(help);
  try {
    while (text.length > 0) text = text.subarray(writeSync(1, text));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN') process.stdout.write(text);
    else process.exitCode = code === 'EPIPE' ? 0 : 1;
  }
  return true;
}

if (!printHelp(process.argv.slice(2)))
  void import('./code-cache.ts').then(({ runWithCodeCache }) => {
    // `__dirname`: the package is CommonJS.
    runWithCodeCache(join(__dirname, 'inventory.cjs'), process.argv[2]);
  });
