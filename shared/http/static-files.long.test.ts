import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { staticFile } from './static-files.ts';

test('a pipe or a device is not read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'static-files-test-'));
  try {
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0);
    expect((await staticFile([{ prefix: '/swagger/', folder }], '/swagger/pipe')).status).toBe(404);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
