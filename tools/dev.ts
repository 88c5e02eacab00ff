/*
 * The service for development: Node restarts the server when one of its files changes, and the console is built again when one of
 * its sources changes. An open page of the console reloads after a change (console/app/reload.tsx).
 */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsoleWhenStale, RELOADING } from '../console/build-when-stale.ts';
import { describeError } from '../shared/core/log.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** An editor writes a file in several steps, and a change of branch many files. */
const QUIET_MS = 100;

process.env[RELOADING] = '1';

let building: Promise<void> = Promise.resolve();

/** One build after the other; a failure is shown, and the next change tries again. */
function build(): void {
  building = building.then(async () => {
    const start = performance.now();
    try {
      if (await buildConsoleWhenStale())
        process.stdout.write(`Console built in ${Math.round(performance.now() - start)} ms\n`);
    } catch (error) {
      process.stderr.write(`The console could not be built.\n${describeError(error)}\n`);
    }
  });
}

build();
await building;

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'local/start.mjs', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
server.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));

let scheduled: NodeJS.Timeout | undefined;
for (const folder of ['console', 'functions', 'shared'])
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(scheduled);
    scheduled = setTimeout(build, QUIET_MS);
  });
