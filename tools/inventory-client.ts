import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';

/** How often a request is sent that was not answered, or answered with "come back later". */
const MAX_ATTEMPTS = 6;
const MAX_WAIT_SECONDS = 30;

const errorSchema = z.object({ message: z.string() });

export interface Client {
  /** @returns the body of a success. Only for requests that may be repeated: it does so when one is not answered. */
  request: (method: string, path: string, lines?: string) => Promise<string>;
}

function messageIn(text: string): string {
  try {
    return z.parse(errorSchema, JSON.parse(text)).message;
  } catch {
    return text.slice(0, 200);
  }
}

/** The server that INVENTORY_URL names, with the API key in INVENTORY_KEY. */
export function clientFrom(environment: NodeJS.ProcessEnv): Client {
  const { INVENTORY_URL: url, INVENTORY_KEY: key } = environment;
  if (url === undefined || key === undefined)
    throw new Error('Set INVENTORY_URL, such as https://localhost:8443, and INVENTORY_KEY, an API key.');
  const base = url.replace(/\/+$/, '');
  const once = (method: string, path: string, lines: string | undefined) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(lines === undefined ? {} : { 'Content-Type': 'application/x-ndjson' }),
      },
      ...(lines === undefined ? {} : { body: lines }),
    });
  return {
    request: async (method, path, lines) => {
      for (let attempt = 1; ; attempt += 1) {
        const isLast = attempt === MAX_ATTEMPTS;
        const waitSeconds = Math.min(MAX_WAIT_SECONDS, 2 ** attempt / 4);
        let reply: Response;
        let text: string;
        try {
          reply = await once(method, path, lines);
          text = await reply.text();
        } catch (error) {
          const { cause }: { cause?: unknown } = error instanceof Error ? error : {};
          if (isLast) throw new Error(`${base} does not answer: ${String(cause ?? error)}`, { cause: error });
          await delay(waitSeconds * 1000);
          continue;
        }
        if (reply.ok) return text;
        const mayRepeat = reply.status === 429 || reply.status >= 500;
        if (!mayRepeat || isLast) throw new Error(`${method} ${path}: ${reply.status} ${messageIn(text)}`);
        const wanted = Number(reply.headers.get('Retry-After') ?? 0);
        await delay(Math.max(waitSeconds, Number.isFinite(wanted) ? wanted : 0) * 1000);
      }
    },
  };
}
