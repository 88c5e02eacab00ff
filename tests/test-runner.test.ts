import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir } from './support/server.ts';

/** Holds the second worker before it loads anything, until the first one has asked for the settings of the run. */
const LATE = `if (process.env.TINYPOOL_WORKER_ID === '2') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);`;

test('a worker process that loads later than another one runs its tests too', async () => {
  const folder = await newDataDir();
  try {
    const late = join(folder, 'late.mjs');
    await writeFile(late, LATE);
    const args = ['node_modules/jest/bin/jest.js', '-w', '2', 'shared/core/seconds', 'shared/core/errors'];
    // Without a limit, a run that hangs would never end.
    const options = { env: { ...process.env, NODE_OPTIONS: `--import ${late}` }, timeout: 120_000 };
    const { stderr } = await promisify(execFile)(process.execPath, args, options);
    expect(stderr).toContain('Test Suites: 2 passed, 2 total');
  } finally {
    await removeDataDir(folder);
  }
}, 150_000);
