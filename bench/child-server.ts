import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

/** A server in a process of its own, so that it shares no event loop with its clients. */
export interface ChildServer {
  base: string;
  stop: () => Promise<void>;
}

/** Ends a process when this one exits before it was stopped. Call the result when it was stopped. */
export function killAtExit(kill: () => unknown): () => void {
  process.once('exit', kill);
  return () => process.off('exit', kill);
}

/**
 * Starts a program that reads its settings from stdin as JSON, serves HTTPS on a free port of the loopback interface,
 * prints the port, and ends by SIGTERM.
 *
 * @param program of this folder, e.g. `baseline/https-server.ts`.
 */
export async function startChildServer(program: string, settings: object): Promise<ChildServer> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const forget = killAtExit(() => child.kill());
  child.stdin.end(JSON.stringify(settings));
  const printed = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    exited.then(() => Promise.reject(new Error(`${program} ended before it was ready`))),
  ]);
  const [port] = z.parse(z.tuple([z.string()]), printed);
  return {
    base: `https://localhost:${port.trim()}`,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      forget();
    },
  };
}
