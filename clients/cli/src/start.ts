#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { preparedHelp, printText } from './output/prepared-help.ts';

// `__dirname`: the package is CommonJS.
const help = preparedHelp(process.argv.slice(2), join(__dirname, 'help.json'));

// Help without the program and without `process.stdout`: each of them takes about as much processor time as the rest.
if (help !== undefined)
  process.exitCode = printText(help, {
    write: (bytes) => writeSync(1, bytes),
    writeLater: (bytes) => void process.stdout.write(bytes),
  });
else
  void import('./code-cache.ts').then(({ runWithCodeCache }) => {
    runWithCodeCache(join(__dirname, 'inventory.cjs'), process.argv[2]);
  });
