import { credentialsOf } from '../../../../functions/domain/agent/credentials-file.ts';
import type { PmmClient } from './pmm-client.ts';

/** A service of the host, as far as its exporter needs it. */
export interface MonitoredService {
  service_id: string;
  service_name: string;
  service_type: string;
  address?: string;
  port?: number;
  socket?: string;
}

/** The account of an exporter at its database. */
export interface Account {
  user: string;
  password: string;
}

/** The address at which an exporter of the host reaches its database. */
interface DatabaseAddress {
  host: string;
  port: number;
  socket?: string | undefined;
}

type Write = (account: Account, address: DatabaseAddress) => string;

interface ExporterOfType {
  program: string;
  port: number;
  /** The files with the credentials of a service, by their extension. */
  files: Readonly<Record<string, Write>>;
  /** The variables that a wrapper reads from these files. Absent: the exporter reads them itself. */
  variables?: Readonly<Record<string, string>>;
}

const portOf = ({ host, port }: DatabaseAddress) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Data source names of Go. Their user ends at the first colon, their password at the last `@`. */
const dataSource: Write = ({ user, password }, address) =>
  `${user}:${password}@${address.socket === undefined ? `tcp(${portOf(address)})` : `unix(${address.socket})`}/\n`;

const quoted = (text: string) => (/^[\w.,:@%+=^*~!?-]*$/.test(text) ? text : `"${text}"`);

const optionFile: Write = ({ user, password }, { host, port, socket }) =>
  [
    '[client]',
    `user=${quoted(user)}`,
    `password=${quoted(password)}`,
    ...(socket === undefined ? [`host=${host}`, `port=${port}`] : [`socket=${socket}`]),
    '',
  ].join('\n');

const exporters: Readonly<Record<string, ExporterOfType>> = {
  mongodb: {
    program: 'mongodb_exporter',
    port: 27_017,
    files: {
      uri: ({ user, password }, address) =>
        `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${portOf(address)}\n`,
    },
    variables: { MONGODB_URI: 'uri' },
  },
  mysql: { program: 'mysqld_exporter', port: 3306, files: { cnf: optionFile } },
  postgresql: {
    program: 'postgres_exporter',
    port: 5432,
    files: {
      uri: (_, address) => `${portOf(address)}/postgres\n`,
      user: ({ user }) => `${user}\n`,
      pass: ({ password }) => `${password}\n`,
    },
  },
  proxysql: {
    program: 'proxysql_exporter',
    port: 6032,
    files: { dsn: dataSource },
    variables: { DATA_SOURCE_NAME: 'dsn' },
  },
  valkey: {
    program: 'valkey_exporter',
    port: 6379,
    files: { uri: (_, address) => `redis://${portOf(address)}\n`, pass: ({ password }) => `${password}\n` },
    variables: { REDIS_ADDR: 'uri', REDIS_PASSWORD: 'pass' },
  },
};

/** The exporters of a generation of PMM. The mysqld_exporter of PMM 2 reads no file. */
function exportersOf({ generation }: PmmClient): Readonly<Record<string, ExporterOfType>> {
  if (generation === 3) return exporters;
  const { valkey: _, mysql, ...others } = exporters;
  return mysql === undefined
    ? others
    : { ...others, mysql: { ...mysql, files: { dsn: dataSource }, variables: { DATA_SOURCE_NAME: 'dsn' } } };
}

/** A program that pmm-agent starts in place of an exporter. */
export interface Wrapper {
  /** The variable of pmm-agent that names it. */
  variable: string;
  path: string;
  content: string;
}

/** The wrappers of all exporters that do not read their credentials themselves. */
export function wrappersOf(client: PmmClient): Wrapper[] {
  return Object.values(exportersOf(client)).flatMap(({ program, variables }) => {
    if (variables === undefined) return [];
    const path = `/usr/local/bin/${program.replace('_', '-')}-wrapper`;
    const lines = Object.entries(variables).map(
      ([variable, extension]) => `${variable}=$(cat "\${INVENTORY_CREDENTIALS:?}.${extension}") || exit 3`,
    );
    const content = [
      '#!/bin/sh',
      `# ${path}`,
      ...lines,
      `export ${Object.keys(variables).join(' ')}`,
      `exec ${client.folder}/exporters/${program} "$@"`,
      '',
    ].join('\n');
    return [{ variable: `PMM_AGENT_PATHS_${program.toUpperCase()}`, path, content }];
  });
}

export interface CredentialsFile {
  path: string;
  content: string;
}

/** The place of an account in a template. */
const TEMPLATE: Account = { user: 'USER', password: 'PASSWORD' };

/** The credentials files of a service, or their templates without an account. A service without an exporter has none. */
export function credentialsFilesOf(
  client: PmmClient,
  service: MonitoredService,
  account: Account | undefined,
): CredentialsFile[] {
  const exporter = exportersOf(client)[service.service_type];
  if (exporter === undefined) return [];
  const address = {
    host: service.address || '127.0.0.1',
    port: service.port || exporter.port,
    socket: service.socket || undefined,
  };
  return Object.entries(exporter.files).map(([extension, write]) => ({
    path: `${credentialsOf(service)}.${extension}${account === undefined ? '.template' : ''}`,
    content: write(account ?? TEMPLATE, address),
  }));
}
