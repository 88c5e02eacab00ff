import type { AgentType } from '../../domain/agent/types.ts';
import type { NodeType } from '../../domain/node/types.ts';
import type { ServiceType } from '../../domain/service/types.ts';
import { discarded, type Field, field, inReply, notInChange, required } from './field.ts';
import { nodeDeclarations } from './nodes.ts';

/** An agent that a call of the management API adds with its service. */
export interface ManagedAgent {
  type: AgentType;
  /** The flag of the request that asks for it; undefined: it is always added. */
  flag?: string;
  /** Its name in the reply. */
  reply: string;
}

/** A service with its agents, which one call adds. */
export interface ManagedService {
  /** The member of the request and of the reply of generation 3. */
  key: string;
  /** In the path of generation 2 (`/v1/management/MySQL/Add`) and in the names of messages. */
  title: string;
  service: ServiceType;
  /** The required fields, in the order of PMM. */
  required: readonly string[];
  agents: readonly ManagedAgent[];
  /** The values that PMM stores instead of zero, and instead of negative values. */
  defaults?: Readonly<Record<string, { unset: number; negative: number }>>;
  /** Fields of the reply that have the value zero. */
  constants?: Readonly<Record<string, unknown>>;
}

const underAgent = ['service_name', 'pmm_agent_id', 'username'];

const tableLimit = { tablestats_group_table_limit: { unset: 1000, negative: -1 } };
const slowlogSize = { max_slowlog_file_size: { unset: 2 ** 30, negative: 0 } };

export const managedServices: readonly ManagedService[] = [
  {
    ...{ key: 'mysql', title: 'MySQL', service: 'mysql', required: underAgent },
    agents: [
      { type: 'mysqld_exporter', reply: 'mysqld_exporter' },
      { type: 'qan_mysql_perfschema_agent', flag: 'qan_mysql_perfschema', reply: 'qan_mysql_perfschema' },
      { type: 'qan_mysql_slowlog_agent', flag: 'qan_mysql_slowlog', reply: 'qan_mysql_slowlog' },
    ],
    defaults: { ...tableLimit, ...slowlogSize },
    constants: { table_count: 0 },
  },
  {
    ...{ key: 'mongodb', title: 'MongoDB', service: 'mongodb', required: ['service_name', 'pmm_agent_id'] },
    agents: [
      { type: 'mongodb_exporter', reply: 'mongodb_exporter' },
      { type: 'qan_mongodb_profiler_agent', flag: 'qan_mongodb_profiler', reply: 'qan_mongodb_profiler' },
      { type: 'qan_mongodb_mongolog_agent', flag: 'qan_mongodb_mongolog', reply: 'qan_mongodb_mongolog' },
      { type: 'rta_mongodb_agent', flag: 'rta_mongodb_agent', reply: 'rta_mongodb_agent' },
    ],
  },
  {
    ...{ key: 'postgresql', title: 'PostgreSQL', service: 'postgresql', required: underAgent },
    agents: [
      { type: 'postgres_exporter', reply: 'postgres_exporter' },
      ...(['qan_postgresql_pgstatements_agent', 'qan_postgresql_pgstatmonitor_agent'] as const).map((type) => ({
        ...{ type, flag: type, reply: type },
      })),
    ],
    constants: { warning: '' },
  },
  {
    ...{ key: 'proxysql', title: 'ProxySQL', service: 'proxysql', required: underAgent },
    agents: [{ type: 'proxysql_exporter', reply: 'proxysql_exporter' }],
  },
  {
    ...{ key: 'valkey', title: 'Valkey', service: 'valkey', required: ['service_name', 'pmm_agent_id'] },
    agents: [{ type: 'valkey_exporter', reply: 'valkey_exporter' }],
  },
  {
    ...{ key: 'haproxy', title: 'HAProxy', service: 'haproxy', required: ['service_name', 'listen_port'] },
    agents: [{ type: 'external_exporter', reply: 'external_exporter' }],
  },
  {
    ...{ key: 'external', title: 'External', service: 'external', required: ['service_name', 'listen_port'] },
    agents: [{ type: 'external_exporter', reply: 'external_exporter' }],
  },
];

/** PMM runs the agents at its own server by default. Here is none, so a request must name the agent process. */
const ofInstance = ['region', 'instance_id', 'address', 'port', 'username', 'pmm_agent_id'];

/** A database of Amazon RDS: its node, its service, and their agents. */
export const managedRds: Readonly<Record<'mysql' | 'postgresql', ManagedService>> = {
  mysql: {
    ...{ key: 'rds', title: 'RDS', service: 'mysql', required: ofInstance, defaults: tableLimit },
    agents: [
      { type: 'mysqld_exporter', reply: 'mysqld_exporter' },
      { type: 'qan_mysql_perfschema_agent', flag: 'qan_mysql_perfschema', reply: 'qan_mysql_perfschema' },
      { type: 'rds_exporter', flag: 'rds_exporter', reply: 'rds_exporter' },
    ],
  },
  postgresql: {
    ...{ key: 'rds', title: 'RDS', service: 'postgresql', required: ofInstance },
    agents: [
      { type: 'postgres_exporter', reply: 'postgresql_exporter' },
      {
        ...{ type: 'qan_postgresql_pgstatements_agent', flag: 'qan_postgresql_pgstatements' },
        reply: 'qan_postgresql_pgstatements',
      },
      { type: 'rds_exporter', flag: 'rds_exporter', reply: 'rds_exporter' },
    ],
  },
};

/** Fields of a request that say on which node the service runs. */
export const placeFields: readonly Field[] = [
  field('node_id', 'node_id'),
  field('node_name', 'string'),
  field('runs_on_node_id', 'node_id'),
  discarded('metrics_mode', 'metrics_mode'),
];

/** The fields of a node that a registration contains, whatever its type. */
export const registrationFields: readonly Field[] = [
  required(notInChange(field('node_name', 'string'))),
  ...[
    'address',
    'machine_id',
    'distro',
    'container_id',
    'container_name',
    'node_model',
    'region',
    'az',
    'instance_id',
  ].map((name) => notInChange(field(name, 'string', name === 'machine_id' ? { isTrimmed: true } : {}))),
  notInChange(field('custom_labels', 'labels')),
];

/** The types of nodes that register themselves, and their member in the reply. */
export const registered = { generic: 'generic_node', container: 'container_node' } as const;

/** The types of nodes that exist already and may be the node of such a service. */
export const hostTypes: readonly NodeType[] = ['generic', 'container'];

/** The one type of node that a call which adds a service can add. */
export const addedNodeFields: readonly Field[] = nodeDeclarations.remote.fields;

/** The message of a registration about credentials that it contained, or that PMM would have made. */
export const NO_CREDENTIALS = 'The inventory stores no credentials and makes no token: they stay on the host.';

export const universalNode: readonly Field[] = [
  inReply('node_id', 'node_id', 'node_id'),
  inReply('node_type', 'string', 'node_type'),
  ...[
    'node_name',
    'machine_id',
    'distro',
    'node_model',
    'container_id',
    'container_name',
    'address',
    'region',
    'az',
  ].map((name) => inReply(name, 'string', name)),
  inReply('custom_labels', 'labels', 'custom_labels'),
  inReply('created_at', 'string', 'created_at'),
  inReply('updated_at', 'string', 'updated_at'),
  inReply('instance_id', 'string', 'instance_id'),
];

export const universalService: readonly Field[] = [
  inReply('service_id', 'service_id', 'service_id'),
  inReply('service_type', 'string', 'service_type'),
  inReply('service_name', 'string', 'service_name'),
  inReply('database_name', 'string', 'database_name'),
  { ...inReply('node_id', 'node_id', 'node_ids'), isFirst: true },
  ...['environment', 'cluster', 'replication_set'].map((name) => inReply(name, 'string', name)),
  inReply('custom_labels', 'labels', 'custom_labels'),
  inReply('external_group', 'string', 'group'),
  inReply('address', 'string', 'address'),
  inReply('port', 'uint32', 'port'),
  inReply('socket', 'string', 'socket'),
  ...['created_at', 'updated_at', 'version'].map((name) => inReply(name, 'string', name)),
];

/** A service in the message of its node. */
export const nodeService = universalService.slice(0, 3);

export const universalAgent: readonly Field[] = [
  inReply('agent_id', 'agent_id', 'agent_id'),
  inReply('is_agent_password_set', 'bool'),
  inReply('aws_access_key', 'string'),
  inReply('is_aws_secret_key_set', 'bool'),
  inReply('created_at', 'string', 'created_at'),
  inReply('custom_labels', 'labels', 'custom_labels'),
  inReply('disabled', 'bool', 'disabled'),
  inReply('disabled_collectors', 'strings', 'disable_collectors'),
  inReply('listen_port', 'uint32', 'listen_port'),
  inReply('log_level', 'log_level', 'log_level'),
  inReply('max_query_length', 'int32', 'max_query_length'),
  inReply('max_query_log_size', 'int64', 'max_slowlog_file_size'),
  inReply('metrics_path', 'string', 'metrics_path'),
  inReply('metrics_scheme', 'string', 'scheme'),
  { ...inReply('node_id', 'node_id', 'insights.node_ids'), isFirst: true },
  inReply('is_password_set', 'bool'),
  inReply('pmm_agent_id', 'agent_id', 'pmm_agent_id'),
  inReply('process_exec_path', 'string'),
  inReply('push_metrics', 'bool', 'push_metrics'),
  inReply('query_examples_disabled', 'bool', 'disable_query_examples'),
  inReply('comments_parsing_disabled', 'bool', 'disable_comments_parsing'),
  inReply('rds_basic_metrics_disabled', 'bool', 'disable_basic_metrics'),
  inReply('rds_enhanced_metrics_disabled', 'bool', 'disable_enhanced_metrics'),
  inReply('runs_on_node_id', 'node_id', 'runs_on_node_id'),
  { ...inReply('service_id', 'service_id', 'insights.service_ids'), isFirst: true },
  inReply('table_count', 'int32'),
  inReply('table_count_tablestats_group_limit', 'int32', 'tablestats_group_table_limit'),
  inReply('tls', 'bool', 'tls'),
  inReply('tls_skip_verify', 'bool', 'tls_skip_verify'),
  inReply('username', 'string', 'username'),
  inReply('updated_at', 'string', 'updated_at'),
  inReply('version', 'string', 'version'),
  inReply('is_connected', 'bool', 'connected'),
  inReply('expose_exporter', 'bool', 'expose_exporter'),
  inReply('rta_options', 'rta_options', 'rta_options'),
];
