import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What happens to a call on its way to the engine. */
export type Disturbance = 'none' | 'refuse' | 'fail' | 'cut' | 'garble';

export interface TableProxy {
  endpoint: string;
  /** Everything that went to and fro: headers and bodies. */
  traffic: () => string;
  /** Decides for each call; `body` is what the server asks the engine. */
  disturb: (rule: (operation: string, body: string) => Disturbance) => void;
  stop: () => Promise<void>;
}

/**
 * A proxy between the server and its engine: records their traffic, and can simulate faults of the engine. Its errors
 * contain the request, so that a log of the cause would also contain the request.
 */
export async function startTableProxy(engine: string): Promise<TableProxy> {
  const heard: string[] = [];
  let rule: (operation: string, body: string) => Disturbance = () => 'none';

  const fault = (response: ServerResponse, status: number, type: string, body: string) => {
    const text = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `Cannot do ${body}` });
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(text);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    heard.push(JSON.stringify(request.headers), body);
    switch (rule(operation, body)) {
      case 'refuse':
        fault(response, 400, 'ValidationException', body);
        return;
      case 'fail':
        fault(response, 500, 'InternalServerError', body);
        return;
      case 'cut':
        response.destroy();
        return;
      case 'garble':
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<html>${body}</html>`);
        return;
      case 'none': {
        const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
        const reply = await fetch(engine, { method: 'POST', body, headers: headers as Record<string, string> });
        const text = await reply.text();
        heard.push(text);
        const type = reply.headers.get('content-type') ?? '';
        response
          .writeHead(reply.status, { 'Content-Type': type, 'X-Amz-Crc32': reply.headers.get('x-amz-crc32') ?? '' })
          .end(text);
      }
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    traffic: () => heard.join('\n'),
    disturb: (next) => (rule = next),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
