import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('engine-program.ts', import.meta.url));

/** An embedded engine that serves DynamoDB over HTTP. */
export interface EngineProcess {
  endpoint: string;
  pid: number;
  /** kill -9. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}

/** @param dataDir undefined: the data is in memory. */
export async function startEngineProcess(dataDir?: string): Promise<EngineProcess> {
  const args = dataDir === undefined ? [] : [dataDir];
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [printed] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended]);
  if (typeof printed !== 'string') throw new Error('the engine did not start');
  const end = async (act: () => unknown) => {
    act();
    await ended;
  };
  return {
    endpoint: printed.trim(),
    pid: child.pid!,
    kill: () => end(() => child.kill('SIGKILL')),
    stop: () => end(() => child.stdin.end()),
  };
}
