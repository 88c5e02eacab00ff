import type { AgentType } from '../../domain/agent/types.ts';
import { nodeTypes } from '../../domain/node/types.ts';

/** The generation of a client: PMM 2 or PMM 3. */
export type Generation = 2 | 3;

/** An enumeration of PMM. */
export interface Enumeration {
  /** The prefix of the names of generation 3. */
  prefix: string;
  /** The name without a value, by generation. */
  unset: Readonly<Record<Generation, string>>;
  /** The names without prefix by our value, in the order of the numbers from 1. */
  words: ReadonlyMap<string, string>;
  /** Our values that PMM does not have, by the value whose word they have in replies. */
  shownAs: ReadonlyMap<string, string>;
  /** The prefix of the names of generation 2: most have none. */
  prefix2: string;
  /** Generation 2 writes the names in lower case. */
  isLower?: boolean;
}

function enumeration(
  prefix: string,
  entries: readonly (readonly [value: string, word: string])[],
  more: { unset2?: string; prefix2?: string; isLower?: boolean; shownAs?: readonly (readonly [string, string])[] } = {},
): Enumeration {
  const unset = { 2: more.unset2 ?? `${prefix}INVALID`, 3: `${prefix}UNSPECIFIED` };
  const words = { words: new Map(entries), shownAs: new Map(more.shownAs) };
  return { prefix, unset, ...words, prefix2: more.prefix2 ?? '', isLower: more.isLower === true };
}

const upper = (value: string) => value.toUpperCase();

/** In the order of PMM's numbers, which differs from ours. */
const serviceOrder = ['mysql', 'mongodb', 'postgresql', 'proxysql', 'external', 'haproxy', 'valkey'] as const;

const agentOrder = [
  'pmm_agent',
  'node_exporter',
  'mysqld_exporter',
  'mongodb_exporter',
  'postgres_exporter',
  'proxysql_exporter',
  'qan_mysql_perfschema_agent',
  'qan_mysql_slowlog_agent',
  'qan_mongodb_profiler_agent',
  'qan_postgresql_pgstatements_agent',
  'rds_exporter',
  'external_exporter',
  'qan_postgresql_pgstatmonitor_agent',
  'vm_agent',
  'azure_database_exporter',
  'nomad_agent',
  'valkey_exporter',
  'qan_mongodb_mongolog_agent',
  'rta_mongodb_agent',
  'rta_mysql_agent',
  'otel_collector',
] as const satisfies AgentType[];

/** The enumerations of the inventory, with the order of their numbers. */
export const enumerations = {
  node_type: enumeration(
    'NODE_TYPE_',
    nodeTypes.map((type) => [type, `${upper(type)}_NODE`]),
  ),
  service_type: enumeration(
    'SERVICE_TYPE_',
    serviceOrder.map((type) => [type, `${upper(type)}_SERVICE`]),
  ),
  agent_type: enumeration(
    'AGENT_TYPE_',
    agentOrder.map((type) => [type, upper(type)]),
  ),
  agent_status: enumeration(
    'AGENT_STATUS_',
    ['starting', 'running', 'waiting', 'stopping', 'done', 'unknown'].map((status) => [status, upper(status)]),
    { shownAs: [['not_supported', 'waiting']] },
  ),
  log_level: enumeration(
    'LOG_LEVEL_',
    ['fatal', 'error', 'warn', 'info', 'debug'].map((level) => [level, upper(level)]),
    { unset2: 'auto', isLower: true },
  ),
  metrics_mode: enumeration(
    'METRICS_MODE_',
    ['pull', 'push'].map((mode) => [mode, upper(mode)]),
    { unset2: 'AUTO' },
  ),
  discover_rds_engine: enumeration(
    'DISCOVER_RDS_ENGINE_',
    ['mysql', 'postgresql'].map((engine) => [engine, upper(engine)]),
    { prefix2: 'DISCOVER_RDS_' },
  ),
} as const satisfies Record<string, Enumeration>;

export type EnumerationName = keyof typeof enumerations;

/** Our value by the name in either generation, or by the number. Undefined: without a value, or unknown. */
export function valueIn({ prefix, prefix2, words }: Enumeration, given: unknown): string | undefined {
  if (typeof given === 'number' || (typeof given === 'string' && /^[0-9]{1,4}$/.test(given)))
    return [...words.keys()][Number(given) - 1];
  if (typeof given !== 'string') return undefined;
  const used = [prefix, prefix2].find((candidate) => given.startsWith(candidate)) ?? '';
  const word = upper(given.slice(used.length));
  for (const [value, enumWord] of words) if (enumWord === word) return value;
  return undefined;
}

/** Whether it is a member, including the one without a value. */
export function isMember(named: Enumeration, given: unknown): boolean {
  return (
    valueIn(named, given) !== undefined ||
    given === 0 ||
    given === '0' ||
    Object.values(named.unset).some((name) => name === given)
  );
}

/** The name in a reply. */
export function nameIn(named: Enumeration, value: unknown, generation: Generation): string {
  const { prefix, prefix2, words, shownAs, unset, isLower } = named;
  const word = typeof value === 'string' ? words.get(shownAs.get(value) ?? value) : undefined;
  if (word === undefined) return unset[generation];
  if (generation === 3) return prefix + word;
  return prefix2 + (isLower === true ? word.toLowerCase() : word);
}

/** All names of a generation, the one without a value first. */
export function namesIn(named: Enumeration, generation: Generation): string[] {
  return [named.unset[generation], ...[...named.words.keys()].map((value) => nameIn(named, value, generation))];
}
