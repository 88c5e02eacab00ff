import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Inventory } from '../support/inventory.ts';

export interface ServedInventory {
  address: string;
  stop: () => Promise<void>;
}

/** Serves an inventory of this process on the loopback interface. @param onRequest is awaited before each reply. */
export async function serveInventory(
  inventory: Inventory,
  onRequest: (method: string, path: string, body: string) => Promise<void> | void = () => undefined,
): Promise<ServedInventory> {
  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const answer = async () => {
      const body = await text(request);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join()]),
      );
      await onRequest(method, path, body);
      const reply = await inventory.request(method, path, { as: null, headers, ...(body === '' ? {} : { body }) });
      const { 'Content-Encoding': _, ...rest } = reply.headers;
      response.writeHead(reply.status, rest).end(reply.text);
    };
    answer().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface EndedProcess {
  /** The exit code, or the signal. */
  code: number | string;
  out: string;
  err: string;
}

export interface RunningProcess {
  child: ChildProcess;
  ended: Promise<EndedProcess>;
}

/** Starts a program with nothing in its environment but these variables. */
export function start(
  program: string,
  argv: readonly string[],
  { env, input = '', cwd }: { env: Record<string, string | undefined>; input?: string; cwd?: string },
): RunningProcess {
  const child = spawn(program, argv, {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  // A program that ends does not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | string,
    out,
    err,
  }));
  return { child, ended };
}
