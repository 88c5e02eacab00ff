#!/usr/bin/env node
import { Interruption } from './exit-codes.ts';
import { run } from './run.ts';
import type { World } from './world.ts';

const controller = new AbortController();

process.once('SIGINT', () => controller.abort(new Interruption('Interrupted.', 'interrupted')));
process.once('SIGTERM', () => controller.abort(new Interruption('Terminated.', 'terminated')));
// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const world: World = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
  ask: process.stdin.isTTY
    ? async (...question) => (await import('./ask.ts')).ask(controller.signal, ...question)
    : undefined,
  isTerminal: process.stdout.isTTY,
  signal: controller.signal,
};

void run(process.argv.slice(2), world).then((code) => (process.exitCode = code));
