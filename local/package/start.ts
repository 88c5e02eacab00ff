#!/usr/bin/env node
/*
 * The command of the package. A Node that is too old for the server runs this file, which then starts the Node that the package
 * brings. `tools/package-server.ts` makes CommonJS of it.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The first with a stable enough node:sqlite: https://nodejs.org/docs/latest-v24.x/api/sqlite.html */
const required = { major: 24, minor: 15 } as const;

const programs = new Map([
  ['backup', 'backup.mjs'],
  ['check', 'check.mjs'],
]);

/** The folder of the package. `__dirname`: the built file is CommonJS. */
const folder = __dirname;

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > required.major || (major === required.major && minor >= required.minor);
}

/** The Node of an optional package for this platform; undefined without one. */
function packagedNode(): string | undefined {
  const { platform, arch } = process;
  try {
    const resolve = createRequire(join(folder, 'start.cjs'));
    const node = dirname(resolve.resolve(`node-${platform === 'win32' ? 'win' : platform}-${arch}/package.json`));
    return join(node, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined; // not installed
  }
}

/** Runs this command with another Node, and ends as it does. */
function runWith(node: string): void {
  const child = spawn(node, [join(folder, 'start.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends SIGINT to both, a manager of services sends SIGTERM to this process.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => undefined);
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** The version of the build. */
function packageVersion(): string {
  const text = readFileSync(join(folder, 'build.json'), 'utf8');
  return /"version":"([^"]*)"/.exec(text)?.[1] ?? '';
}

function main(): void {
  const [, , word = ''] = process.argv;
  if (word === '--version') {
    process.stdout.write(`inventory-server ${packageVersion()}\n`);
    return;
  }
  if (!isNewEnough(process.versions.node)) {
    const node = packagedNode();
    if (node !== undefined) runWith(node);
    else {
      const least = `${required.major}.${required.minor}`;
      process.stderr.write(
        `Node ${least} or newer is required, but this is Node ${process.versions.node}. Install Node 24.\n`,
      );
      process.exitCode = 1;
    }
    return;
  }
  const program = programs.get(word);
  if (program !== undefined) process.argv.splice(2, 1);
  void import(pathToFileURL(join(folder, program ?? 'server.mjs')).href);
}

main();
