import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../core/exit-codes.ts';
import { isFields } from '../core/values.ts';

/** The package of PMM's client on a host. */
export interface PmmClient {
  generation: 2 | 3;
  /** Where its programs are. */
  folder: string;
}

const clients: readonly PmmClient[] = [
  { generation: 3, folder: '/usr/local/percona/pmm' },
  { generation: 2, folder: '/usr/local/percona/pmm2' },
];

export const configOf = ({ folder }: PmmClient): string => `${folder}/config/pmm-agent.yaml`;

/** The client whose pmm-agent has a configuration on the host; of two the newer one. */
export const findPmmClient = (root: string): PmmClient | undefined =>
  clients.find((client) => existsSync(join(root, configOf(client))));

/** The id of the agent process without the prefix of PMM 2; empty before its first set-up; undefined if the user may not read the file. */
export async function agentIdIn(root: string, client: PmmClient): Promise<string | undefined> {
  const path = join(root, configOf(client));
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return undefined;
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
  const { parse, YAMLParseError } = await import('yaml');
  try {
    const value: unknown = parse(text);
    const id = isFields(value) ? value['id'] : undefined;
    return typeof id === 'string' ? id.replace('/agent_id/', '') : '';
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new CommandError(`${path} is no YAML: ${error.message.split('\n', 1)[0] ?? ''}`);
  }
}

/** The path of a vmagent on the host: PMM's client contains one. */
export const findVmagent = (root: string, client: PmmClient | undefined): string | undefined =>
  [
    ...(client === undefined ? [] : [`${client.folder}/exporters/vmagent`]),
    '/usr/local/bin/vmagent',
    '/usr/bin/vmagent',
  ].find((path) => existsSync(join(root, path)));
