import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Answer = (response: ServerResponse) => void;

/** Closes the connection instead of an answer. */
export const cut: Answer = (response) => response.destroy();

interface AnsweringServer {
  endpoint: string;
  calls: { headers: IncomingMessage['headers']; body: any }[];
  /** What the server answers, one after the other; the last one again and again. */
  answers: Answer[];
}

/** A server on the loopback interface for each test, in place of a service of AWS. */
export function useAnsweringServer(): AnsweringServer {
  const fixture: AnsweringServer = { endpoint: '', calls: [], answers: [] };
  let server: Server;
  beforeEach(async () => {
    Object.assign(fixture, { calls: [], answers: [] });
    server = createServer((request, response) => {
      void text(request).then((body) => {
        fixture.calls.push({ headers: request.headers, body: JSON.parse(body) });
        const answer = fixture.answers.length > 1 ? fixture.answers.shift() : fixture.answers[0];
        answer?.(response);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    fixture.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return fixture;
}
