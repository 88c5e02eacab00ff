import cases from '../../clients/connection-cases.json' with { type: 'json' };

export type ClientName = 'typescript' | 'command line' | 'terraform' | 'python' | 'ansible';

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
