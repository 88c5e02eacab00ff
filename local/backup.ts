import { backUp } from './engine/back-up.ts';
import { BACK_UP } from './process/commands.ts';
import { StartFailure } from './process/failure.ts';
import { resolve } from 'node:path';

const [target] = process.argv.slice(2);
try {
  if (target === undefined) throw new StartFailure(`Name a new folder for the backup: ${BACK_UP} FOLDER`);
  await backUp(resolve(process.env['DATA_DIR'] || '.data'), resolve(target));
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
