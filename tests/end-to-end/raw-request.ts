import { connect, type TLSSocket } from 'node:tls';

export interface RawReply {
  /** 0 when the connection ended without an answer. */
  status: number;
  /** As they came, repeated ones too. */
  headers: [name: string, value: string][];
  /** All the values of a header. */
  values: (name: string) => string[];
  text: string;
}

export function openConnection(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function parseReply(raw: string): RawReply {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(statusLine)?.[1] ?? 0),
    headers,
    values: (name) => headers.filter(([given]) => given.toLowerCase() === name.toLowerCase()).map(([, value]) => value),
    text: rest.join('\r\n\r\n'),
  };
}

/** All that the server says until it ends the connection. */
export async function replyOn(socket: TLSSocket): Promise<RawReply> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve, reject) => {
    // Long, for a busy machine: a server that hangs never ends the connection.
    socket.setTimeout(60_000, () => reject(new Error('the server neither answers nor ends the connection')));
    // A reset after an answer is as good an end as any.
    socket.on('error', () => undefined).once('close', () => resolve());
  }).finally(() => socket.destroy());
  return parseReply(Buffer.concat(chunks).toString());
}

/** Exactly these bytes over TLS: what no HTTP client would send. Ask for `Connection: close` where the request is a good one. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawReply> {
  const socket = await openConnection(port);
  const reply = replyOn(socket);
  socket.write(bytes);
  return reply;
}

/** A request with exactly these header lines, otherwise well-formed; the server ends the connection after it. */
export function rawRequest(
  port: number,
  requestLine: string,
  headerLines: readonly string[] = [],
  body = '',
): Promise<RawReply> {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${requestLine} HTTP/1.1`, 'Host: localhost', ...headerLines, ...length, 'Connection: close'];
  return sendRaw(port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8'));
}
