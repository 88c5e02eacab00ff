import { timeLimit } from '../../shared/core/monotonic-clock.ts';
/** For each request to a provider. */
const REQUEST_MS = 3000;

const MAX_BYTES = 150_000;

async function limitedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = body ?? [];
  for await (const part of chunks) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`the reply has more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** For all requests of one log-in: the person reads the refusal of a provider that hangs within four seconds. */
const LOG_IN_MS = 3500;

/** Ends the requests of one log-in, and those that read the documents of a provider. */
export const logInTime = () => timeLimit({}, LOG_IN_MS);
export const requestTime = () => timeLimit({}, REQUEST_MS);

interface ProviderRequest {
  method?: string;
  headers: Record<string, string>;
  body?: URLSearchParams | string | undefined;
  /** Ends the request before its own limit. */
  signal?: AbortSignal | undefined;
}

/** `fetch` for requests to identity providers: 3 seconds, 150 kB, no redirects. */
export async function providerFetch(url: string, { body, signal, ...options }: ProviderRequest): Promise<Response> {
  const content = body === undefined ? {} : { body };
  const response = await fetch(url, {
    ...options,
    ...content,
    redirect: 'manual',
    signal: signal === undefined ? requestTime() : AbortSignal.any([signal, requestTime()]),
  });
  const text = await limitedText(response);
  const { status, statusText, headers } = response;
  // A response with one of these statuses must not have a body.
  return new Response([204, 205, 304].includes(status) ? null : text, { status, statusText, headers });
}

/** Why a request failed, without a secret or the reply: the code of the system, or the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return `no reply within ${REQUEST_MS / 1000} seconds`;
  if (error instanceof SyntaxError) return 'the reply is no JSON';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : error.message;
}
