import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../../local/start.mjs', import.meta.url));

export interface HttpsReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The parsed body, when it is JSON. */
  body: any;
}

export interface RunningServer {
  pid: number;
  port: number;
  base: string;
  dataDir: string;
  /** All that it has printed so far, stdout and stderr. */
  output: () => string;
  /** Ends it with a signal (SIGTERM unless told) and waits; resolves to the exit code or signal. */
  stop: (signal?: NodeJS.Signals) => Promise<number | string>;
}

export async function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'inventory-'));
}

export async function removeDataDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** `npm start` without npm: the real server as a process of its own, on a free port of the loopback interface. */
export async function startServer(
  dataDir: string,
  { environment = {}, args = [] }: { environment?: Record<string, string>; args?: string[] } = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [START, ...args], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const ready = new Promise<void>((resolve) => child.stdout.on('data', () => output.includes('curl -k') && resolve()));
  const ended = await Promise.race([ready, exited]);
  if (ended !== undefined) throw Object.assign(new Error(output.trim()), { exitCode: ended });
  const base = /Base URL +(\S+)/.exec(output)?.[1] ?? '';
  return {
    pid: child.pid!,
    port: Number(new URL(base).port),
    base,
    dataDir,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

/** One HTTPS request to a server with a self-signed certificate. */
export async function https(
  base: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<HttpsReply> {
  const request = httpsRequest(new URL(path, base), {
    method,
    rejectUnauthorized: false,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
  });
  request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
