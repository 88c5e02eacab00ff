import { createServer, type Server } from 'node:http';

/** The change feed may be this old. */
const MAX_FEED_AGE_MS = 60_000;

/** The state of the program, as its health check sees it. */
export interface Health {
  isDraining: () => boolean;
  /** Whether an operator has yet to store the key: a deployment must end before that is possible. */
  lacksKey: () => boolean;
  feedAgeMs: () => number | undefined;
  /** Ends all streams slowly: for a deployment. */
  drain: () => void;
}

/** The reply to `GET /healthz`: 200 while streams are served. */
export function healthOf({ isDraining, lacksKey, feedAgeMs }: Health): { status: number; text: string } {
  if (isDraining()) return { status: 503, text: 'draining' };
  if (lacksKey()) return { status: 200, text: 'no key is stored yet' };
  const ageMs = feedAgeMs();
  if (ageMs === undefined || ageMs > MAX_FEED_AGE_MS) return { status: 503, text: 'the change feed is not followed' };
  return { status: 200, text: 'ok' };
}

/** `GET /healthz`, and `POST /drain`. Only the balancer and the host itself may reach its port. */
export function createHealthServer(health: Health): Server {
  return createServer(
    { requestTimeout: 5000, headersTimeout: 5000, maxHeaderSize: 4096 },
    ({ method, url }, response) => {
      const answer = (status: number, text: string) =>
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
      if (method === 'GET' && url === '/healthz') {
        const { status, text } = healthOf(health);
        answer(status, text);
      } else if (method === 'POST' && url === '/drain') {
        health.drain();
        answer(202, 'draining');
      } else answer(404, 'not found');
    },
  );
}
