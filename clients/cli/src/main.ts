#!/usr/bin/env node
import { processClock } from './core/clock.ts';
import { exits, Interruption } from './core/exit-codes.ts';
import { run } from './run.ts';
import type { World } from './core/world.ts';

// A diagnostic report of Node contains the environment, and INVENTORY_KEY with it. Node 20 cannot leave it out.
process.report.excludeEnv = true;

const controller = new AbortController();
const leaving = new AbortController();

/** For the end in order of a command that was interrupted. */
const MAX_END_MS = 5000;

const endings = {
  SIGINT: new Interruption('Interrupted.', 'interrupted'),
  SIGTERM: new Interruption('Terminated.', 'terminated'),
};

for (const [name, reason] of Object.entries(endings))
  process.on(name, () => {
    const leave = () => {
      leaving.abort();
      process.stderr.write(`Error: ${reason.message}\n`);
      process.exit(exits[reason.exit].code);
    };
    if (controller.signal.aborted) return leave();
    controller.abort(reason);
    processClock.after(MAX_END_MS, leave);
  });
// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const world: World = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
  // A getter: the stream of the standard input takes long to load.
  get ask() {
    if (!process.stdin.isTTY) return undefined;
    return async (question: string, isSecret?: boolean) =>
      (await import('./command/ask.ts')).ask(controller.signal, question, isSecret);
  },
  signal: controller.signal,
  leaving: leaving.signal,
  clock: processClock,
};

void run(process.argv.slice(2), world).then((code) => {
  process.exitCode = code;
  // Requests of an interrupted command may be open.
  if (controller.signal.aborted) process.exit();
});
