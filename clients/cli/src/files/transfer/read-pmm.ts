import * as z from 'zod/mini';
import { nodeFetch } from '../../../../typescript/src/node.ts';
import { CommandError } from '../../core/exit-codes.ts';

/** Sends a request to a PMM server. */
export type AskPmm = (method: string, path: string, body?: string) => Promise<{ status: number; text: string }>;

const lists = [
  { third: '/v1/inventory/nodes', second: '/v1/inventory/Nodes/List' },
  { third: '/v1/inventory/services', second: '/v1/inventory/Services/List' },
  { third: '/v1/inventory/agents', second: '/v1/inventory/Agents/List' },
] as const;

/** PMM 2 has no such path, or not with this method. */
const UNKNOWN_CALL = [404, 405, 501];

const errorSchema = z.object({ message: z.string() });

function failureOf(path: string, { status, text }: { status: number; text: string }): Error {
  let message = '';
  try {
    message = ` ${z.parse(errorSchema, JSON.parse(text)).message}`;
  } catch {
    // A proxy may answer in another form; the status tells enough.
  }
  return new Error(`${path} of the PMM server: ${status}${message}`);
}

/** The nodes, services and agents of a running PMM server of generation 3 or 2, as it replies. */
export async function readPmm(ask: AskPmm): Promise<unknown[]> {
  const replies: unknown[] = [];
  let isSecond = false;
  for (const { third, second } of lists) {
    let path: string = isSecond ? second : third;
    let reply = isSecond ? await ask('POST', path, '{}') : await ask('GET', path);
    if (!isSecond && replies.length === 0 && UNKNOWN_CALL.includes(reply.status)) {
      isSecond = true;
      path = second;
      reply = await ask('POST', path, '{}');
    }
    if (reply.status !== 200) throw failureOf(path, reply);
    replies.push(JSON.parse(reply.text));
  }
  return replies;
}

/** The server that PMM_URL names, with the user and the password, or a token of the user service_token, in the URL. */
export function pmmFrom(env: Readonly<Record<string, string | undefined>>): AskPmm {
  const { PMM_URL: text } = env;
  const url = text === undefined ? null : URL.parse(text);
  if (url === null || url.username === '')
    throw new CommandError('Name files, or set PMM_URL, such as https://admin:password@pmm.example.');
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = {
    Authorization: `Basic ${Buffer.from(user).toString('base64')}`,
    'Content-Type': 'application/json',
    Accept: 'application/json',
  };
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const send = nodeFetch({ env });
  return async (method, path, body) => {
    try {
      const reply = await send(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      // Not followed: the password is for this server alone.
      const isRedirect = Math.floor(reply.status / 100) === 3;
      const target = isRedirect ? reply.headers.get('Location') : null;
      if (target !== null) throw new Error(`it redirects to ${target}`);
      return { status: reply.status, text: await reply.text() };
    } catch (error) {
      throw new Error(`${url.host} does not answer: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  };
}
