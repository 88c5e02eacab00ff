/** A text as one word of the shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface ApiRequest {
  method: string;
  /** With its query, from `/v1` on. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as the precondition If-Match. */
  revision?: number | undefined;
}

/** A server, as this browser reaches it. */
export interface Server {
  /** Without a final slash; includes the stage of the API if it is part of the address. */
  baseUrl: string;
  /** The server has a self-signed certificate, which curl does not trust. */
  isSelfSigned: boolean;
}

/** The variable of the shell that contains the API key: the secret itself is never part of a command. */
export const KEY_VARIABLE = '$API_KEY';

/** The arguments that authenticate with an API key: as a Bearer token, and as user and password. */
export const bearer = (key = KEY_VARIABLE): string => `-H "Authorization: Bearer ${key}"`;
export const basic = (key = KEY_VARIABLE): string => `-u "api_key:${key}"`;

/**
 * A request as a command for a POSIX shell.
 *
 * @param authorization the arguments that authenticate; empty for an endpoint that needs none.
 */
export function curlText(server: Server, request: ApiRequest, authorization = bearer()): string {
  const { method, path, body, revision } = request;
  const isPost = method === 'POST' && body !== undefined;
  const parts = [
    // With -d, curl sends a POST.
    `curl${server.isSelfSigned ? ' -k' : ''}${method === 'GET' || isPost ? '' : ` -X ${method}`} ${shellWord(server.baseUrl + path)}`,
    ...(authorization === '' ? [] : [authorization]),
    ...(revision === undefined ? [] : [`-H 'If-Match: "${revision}"'`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellWord(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}
