import type { HttpReply } from '../../clients/typescript/src/options.ts';
import cases from '../../clients/connection-cases.json' with { type: 'json' };

export type ClientName = 'typescript' | 'command line' | 'terraform' | 'python' | 'ansible' | 'cdk';

/** A reply that a server sends once. */
export interface WrongReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A row of clients/connection-cases.json, which says what each field means. */
export interface ConnectionCase {
  name: string;
  is: 'permanent' | 'passing' | 'right';
  attempts: number;
  url?: string;
  urlForm?: string;
  key?: string;
  server?: 'unknown certificate' | 'no TLS' | 'no reply' | 'cut body';
  reply?: WrongReply;
  setting?: keyof typeof cases.settings;
  says?: string[];
  hides?: string;
}

export const connectionCases: readonly ConnectionCase[] = cases.cases as ConnectionCase[];

/** The parts that the sentence of a client has in a case. */
export const saidIn = ({ says = [], setting }: ConnectionCase, client: ClientName): string[] => [
  ...says,
  ...(setting === undefined ? [] : [cases.settings[setting][client]]),
];

/** Key of cases that state none. */
export const RIGHT_KEY = 'minv_abc';

/** What every client takes for a caller, an empty list or a page of changes. */
export const RIGHT_REPLY = {
  ...{ name: 'n', role: 'Viewer', nodes: [], services: [], agents: [] },
  ...{ changes: [], next: 'b', more: false },
};

/** What `fetch` of Node throws. `connection-cases.long.test.ts` has the real ones. */
const thrown = {
  'unknown certificate':
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
  'no TLS': '0A00010B:SSL routines:tls_validate_record_header:wrong version number',
  'no reply': 'socket hang up',
} as const;

/** The first reply of a server in a case; an error is that of the network. */
export function replyIn({ reply, server }: ConnectionCase): HttpReply {
  if (server === 'cut body')
    return {
      status: 200,
      headers: new Headers({ 'Content-Type': 'application/json' }),
      text: () => Promise.reject(new TypeError('terminated')),
    };
  if (server !== undefined) throw new TypeError('fetch failed', { cause: new Error(thrown[server]) });
  const { status, headers, body } = reply!;
  return new Response(body, { status, headers });
}
