import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url));

/** A gateway as a process of its own. */
export interface RunningGateway {
  port: number;
  healthPort: number;
  output: () => string;
  /** Ends it with a signal (default: SIGTERM) and waits; resolves to the exit code or signal. */
  stop: (signal?: NodeJS.Signals) => Promise<number | string>;
}

/**
 * Starts the program of the gateway's container on free ports of the loopback interface.
 *
 * @throws Error with its output when it ends instead.
 */
export async function startGateway(environment: Record<string, string>): Promise<RunningGateway> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', HEALTH_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const serving = /"message":"serving agents","port":(\d+),"health_port":(\d+)/;
  const ready = new Promise<undefined>((resolve) =>
    child.stdout.on('data', () => serving.test(output) && resolve(undefined)),
  );
  if ((await Promise.race([ready, ended])) !== undefined) throw new Error(output.trim());
  const [, port, healthPort] = serving.exec(output) ?? [];
  return {
    port: Number(port),
    healthPort: Number(healthPort),
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
