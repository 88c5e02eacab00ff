import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

/** What it answers with, whatever the request: handed over on stdin. */
const settingsSchema = z.object({
  key: z.string(),
  cert: z.string(),
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

export type Settings = z.output<typeof settingsSchema>;

// Node's own HTTPS server with nothing behind it. Says its port on stdout; ends by a signal.
const { key, cert, statusCode, headers, body } = z.parse(settingsSchema, JSON.parse(await text(process.stdin)));
const server = createServer({ key, cert, keepAliveTimeout: 65_000 }, (request, response) => {
  request.resume().on('end', () => response.writeHead(statusCode, headers).end(body));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`);
});
