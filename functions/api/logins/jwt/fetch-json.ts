/** For each request to an issuer. */
const REQUEST_MS = 3000;

const MAX_BYTES = 150_000;

async function limitedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (body === null) return '';
  const chunks: AsyncIterable<Uint8Array> = body;
  for await (const part of chunks) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`the reply has more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Gets a JSON document of an issuer: within 3 seconds, at most 150 kB, without redirects. */
export async function fetchJson(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(REQUEST_MS);
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return JSON.parse(await limitedText(response));
}

/** Why a request failed, without the reply: the code of the system, or the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return `no reply within ${REQUEST_MS / 1000} seconds`;
  if (error instanceof SyntaxError) return 'the reply is no JSON';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : error.message;
}
