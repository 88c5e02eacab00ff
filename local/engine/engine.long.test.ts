import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { newDataDir, removeDataDir } from '../../tests/support/data-dir.ts';
import { startEngine } from './engine.ts';

let home: string;
beforeEach(async () => (home = await newDataDir()));
afterEach(() => removeDataDir(home));

/** An engine in its own process, which prints a line and then runs until it is killed. */
async function startElsewhere(dataDir: string): Promise<ChildProcess> {
  const program = `
    import { startEngine } from ${JSON.stringify(new URL('engine.ts', import.meta.url))};
    await startEngine({ dataDir: ${JSON.stringify(dataDir)}, environment: {} });
    console.log('started');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('the data folder is refused to another process, and released by kill -9', async () => {
  const child = await startElsewhere(home);
  const start = () => startEngine({ dataDir: home, environment: {} });
  await expect(start()).rejects.toThrow(`(process ${child.pid!})`);
  child.kill('SIGKILL');
  const engine = await start(); // at once
  await engine.stop();
});
