/** An aborted call of the TypeScript client ends at once, and nothing keeps the process alive. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Far less than the time-out of the call and the wait for its repetition, and far more than the end of a process takes. */
const MAX_SECONDS = 45;

/** The replies after which the call is aborted; none of them completes the call. */
const replies: Record<string, (response: ServerResponse) => void> = {
  'before a reply': () => undefined,
  'within a reply': (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"node_id":'),
  'before a repetition': (response) => response.writeHead(429, { 'Retry-After': '60' }).end('{}'),
};

let server: Server;
/** Answers the next request. */
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const cases = [
  ...['fetch', 'node'].flatMap((transport) => Object.keys(replies).map((when) => [transport, 'call', when] as const)),
  ['fetch', 'feed', 'before a reply'] as const,
];

test.each(cases)('%s, %s, aborted %s', async (transport, what, when) => {
  const program = fileURLToPath(new URL('abort.ts', import.meta.url));
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<void>((resolve) => {
    answer = (response) => {
      replies[when]!(response);
      resolve();
    };
  });
  const child = spawn(process.execPath, [program, `http://127.0.0.1:${port}`, transport, what]);
  let [out, err] = ['', ''];
  const isWaiting = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('waiting\n')) resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close');
  await Promise.race([when === 'before a repetition' ? isWaiting : arrived, ended]);
  child.kill('SIGUSR2');
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_SECONDS * 1000);
  const [code, signal] = await ended;
  clearTimeout(timer);
  expect([code, signal, out.replace('waiting\n', ''), err]).toEqual([0, null, 'the reason, 0 timers\n', '']);
});
