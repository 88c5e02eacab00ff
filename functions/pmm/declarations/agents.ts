import { lazily } from '../../../shared/core/lazily.ts';
import { type AgentType, agentTypeEntry, agentTypes, isReporter } from '../../domain/agent/types.ts';
import { credential, discarded, type Field, field, inReply, notInChange, required } from './field.ts';
import type { TypeDeclaration } from './nodes.ts';

/** The fields of PMM for our options, with the names of PMM where they differ. */
const optionFields = lazily((): Readonly<Record<string, Field>> => ({
  username: field('username', 'string'),
  tls: field('tls', 'bool'),
  tls_skip_verify: field('tls_skip_verify', 'bool'),
  listen_port: inReply('listen_port', 'uint32', 'listen_port'),
  push_metrics: field('push_metrics', 'bool', { change: 'enable_push_metrics', reply: 'push_metrics_enabled' }),
  expose_exporter: field('expose_exporter', 'bool'),
  log_level: field('log_level', 'log_level'),
  disable_collectors: field('disable_collectors', 'strings', { reply: 'disabled_collectors' }),
  metrics_resolutions: {
    type: 'resolutions',
    change: 'metrics_resolutions',
    reply: 'metrics_resolutions',
    native: 'metrics_resolutions',
  },
  connection_timeout: field('connection_timeout', 'duration'),
  extra_dsn_params: notInChange(field('extra_dsn_params', 'map')),
  tablestats_group_table_limit: field('tablestats_group_table_limit', 'int32'),
  authentication_mechanism: withoutReply('authentication_mechanism', 'string'),
  authentication_database: withoutReply('authentication_database', 'string'),
  stats_collections: field('stats_collections', 'strings'),
  collections_limit: field('collections_limit', 'int32'),
  enable_all_collectors: field('enable_all_collectors', 'bool'),
  environment_variable_names: field('environment_variable_names', 'strings'),
  auto_discovery_limit: field('auto_discovery_limit', 'int32'),
  max_exporter_connections: field('max_exporter_connections', 'int32'),
  scheme: field('scheme', 'string'),
  metrics_path: field('metrics_path', 'string'),
  disable_basic_metrics: field('disable_basic_metrics', 'bool', { reply: 'basic_metrics_disabled' }),
  disable_enhanced_metrics: field('disable_enhanced_metrics', 'bool', { reply: 'enhanced_metrics_disabled' }),
  aws_role_arn: field('aws_role_arn', 'string'),
  azure_subscription_id: field('azure_subscription_id', 'string', { reply: 'azure_database_subscription_id' }),
  azure_resource_group: withoutReply('azure_resource_group', 'string'),
  azure_database_resource_type: {
    type: 'string',
    add: 'azure_database_resource_type',
    native: 'azure_database_resource_type',
    isRequired: true,
  },
  max_query_length: field('max_query_length', 'int32'),
  max_slowlog_file_size: field('max_slowlog_file_size', 'int64'),
  disable_query_examples: field('disable_query_examples', 'bool', { reply: 'query_examples_disabled' }),
  disable_comments_parsing: field('disable_comments_parsing', 'bool'),
  rta_options: field('rta_options', 'rta_options'),
}));

function withoutReply(name: string, type: Field['type']): Field {
  const { reply: _, ...rest } = field(name, type);
  return rest;
}

const tlsFiles = ['tls_ca', 'tls_cert', 'tls_key'];
const mongodbFiles = ['tls_certificate_key', 'tls_certificate_key_file_password', 'tls_ca'];

/** Fields of PMM besides our options: credentials, and values that only a PMM server knows. */
interface Extras {
  title: string;
  /** The target that PMM requires. */
  target?: 'service_id' | 'node_id';
  /** PMM requires a user name. */
  login?: true;
  credentials?: readonly string[];
  more?: readonly Field[];
}

const database = (title: string, files: readonly string[], more: Partial<Extras> = {}): Extras => ({
  title,
  target: 'service_id',
  login: true,
  credentials: ['password', ...files],
  ...more,
});

const mongodb = (title: string, more: Partial<Extras> = {}): Extras => {
  const { login: _, ...rest } = database(title, mongodbFiles, more);
  return rest;
};

/** Replies of MySQL agents have these fields, which are empty. */
const tlsReplies = () => tlsFiles.map((name) => inReply(name, 'string'));

const extras = lazily((): Readonly<Record<AgentType, Extras>> => ({
  pmm_agent: { title: 'PMMAgent', more: [inReply('connected', 'bool', 'connected')] },
  vm_agent: { title: 'VMAgent' },
  nomad_agent: { title: 'NomadAgent' },
  node_exporter: { title: 'NodeExporter', credentials: ['agent_password'] },
  mysqld_exporter: database('MySQLdExporter', [...tlsFiles, 'agent_password'], {
    more: [
      ...tlsReplies(),
      inReply('table_count', 'int32'),
      { ...inReply('tablestats_group_disabled', 'bool', 'tablestats_group_table_limit'), isNegative: true },
    ],
  }),
  mongodb_exporter: mongodb('MongoDBExporter', {
    credentials: ['password', ...mongodbFiles, 'agent_password'],
  }),
  postgres_exporter: database('PostgresExporter', [...tlsFiles, 'agent_password']),
  proxysql_exporter: database('ProxySQLExporter', ['agent_password']),
  valkey_exporter: database('ValkeyExporter', [...tlsFiles, 'agent_password']),
  rds_exporter: {
    title: 'RDSExporter',
    target: 'node_id',
    credentials: ['aws_secret_key'],
    more: [
      { ...credential('aws_access_key'), reply: 'aws_access_key' },
      inReply('auto_discovery_limit', 'int32'),
      skipCheck(),
    ],
  },
  azure_database_exporter: {
    title: 'AzureDatabaseExporter',
    target: 'node_id',
    credentials: ['azure_client_id', 'azure_client_secret', 'azure_tenant_id'],
    more: [inReply('azure_database_resource_type', 'string'), skipCheck()],
  },
  qan_mysql_perfschema_agent: database('QANMySQLPerfSchemaAgent', tlsFiles, { more: tlsReplies() }),
  qan_mysql_slowlog_agent: database('QANMySQLSlowlogAgent', tlsFiles, { more: tlsReplies() }),
  qan_mongodb_profiler_agent: mongodb('QANMongoDBProfilerAgent'),
  qan_mongodb_mongolog_agent: mongodb('QANMongoDBMongologAgent'),
  qan_postgresql_pgstatements_agent: database('QANPostgreSQLPgStatementsAgent', tlsFiles),
  qan_postgresql_pgstatmonitor_agent: database('QANPostgreSQLPgStatMonitorAgent', tlsFiles),
  rta_mongodb_agent: mongodb('RTAMongoDBAgent'),
  rta_mysql_agent: { ...mongodb('RTAMySQLAgent'), credentials: ['password', ...tlsFiles] },
  otel_collector: { title: 'OtelCollector', more: [inReply('connected', 'bool', 'connected')] },
  external_exporter: { title: 'ExternalExporter', credentials: ['password'] },
}));

/** Options of ours that PMM does not have for a type, or does not return. */
const exceptions: Partial<Record<AgentType, readonly string[]>> = {
  valkey_exporter: ['log_level'],
};

function skipCheck(): Field {
  return discarded('skip_connection_check', 'bool');
}

/** The place and the target. */
function identityOf(type: AgentType): Field[] {
  const { target } = extras()[type];
  if (isReporter(type)) return [field('runs_on_node_id', 'node_id', { isRequired: true })];
  if (type === 'external_exporter')
    return [
      field('runs_on_node_id', 'node_id', { isRequired: true }),
      field('service_id', 'service_id', { native: 'insights.service_ids', isFirst: true }),
    ];
  const place = field('pmm_agent_id', 'agent_id', { isRequired: true });
  if (target === undefined) return [place];
  const uuid = type === 'valkey_exporter' ? ({ isUuid: true } as const) : {};
  return [place, field(target, target, { native: `insights.${target}s`, isFirst: true, isRequired: true, ...uuid })];
}

function optionsOf(type: AgentType): Field[] {
  const without = exceptions[type] ?? [];
  return agentTypeEntry(type).options.flatMap((name) => {
    const optionField = optionFields()[name];
    if (optionField === undefined || without.includes(name)) return [];
    if (name === 'username' && extras()[type].login === true) return [required(optionField)];
    // The request states the port of a program outside PMM; every other exporter reports its own.
    return name === 'listen_port' && type === 'external_exporter' ? [required(field(name, 'uint32'))] : [optionField];
  });
}

const statusField = inReply('status', 'agent_status', 'status');

function declared(type: AgentType): TypeDeclaration {
  const { title, target, credentials = [], more = [] } = extras()[type];
  const isProcess = type === 'pmm_agent';
  // No agent process starts it, so PMM never has a status of it.
  const status = type === 'external_exporter' ? inReply('status', 'agent_status') : statusField;
  const fields = [
    inReply('agent_id', 'agent_id', 'agent_id'),
    ...identityOf(type).map(notInChange),
    ...(isProcess || type === 'vm_agent' ? [] : [inReply('disabled', 'bool', 'disabled')]),
    ...optionsOf(type),
    ...(target === 'service_id' ? [skipCheck()] : []),
    ...credentials.map((name) => credential(name)),
    ...more,
    ...(type === 'vm_agent' || type === 'nomad_agent' ? [] : [field('custom_labels', 'labels')]),
    ...(isProcess ? [] : [status]),
    ...(isProcess ? [] : [{ type: 'bool', change: 'enable', native: 'disabled', isInverse: true } satisfies Field]),
    inReply('process_exec_path', 'string'),
  ];
  return { title, fields };
}

/** By type, made at the first use: most requests are not about agents. */
export const agentDeclarations = lazily(
  (): ReadonlyMap<AgentType, TypeDeclaration> => new Map(agentTypes.map((type) => [type, declared(type)])),
);

export function agentDeclaration(type: AgentType): TypeDeclaration {
  const declaration = agentDeclarations().get(type);
  if (declaration === undefined) throw new Error(`No such type: ${type}`);
  return declaration;
}

/** Agents that PMM itself adds, or that add themselves: no call adds them. */
const ownAgents: readonly AgentType[] = ['vm_agent', 'nomad_agent', 'otel_collector'];

export const addableAgents = agentTypes.filter((type) => !ownAgents.includes(type));

/** These have no call that changes them. */
export const changeableAgents = agentTypes.filter(
  (type) => !['pmm_agent', 'vm_agent', 'otel_collector'].includes(type),
);

/** The least verbose level of an agent: PMM raises a lower one of an add. */
export const leastLogLevels: Partial<Record<AgentType, string>> = {
  node_exporter: 'error',
  mysqld_exporter: 'error',
  postgres_exporter: 'error',
};

/** The name of an agent in the reply to a get, where it is not its type. */
export const getKeys: Partial<Record<AgentType, string>> = { vm_agent: 'vmagent' };

/** The types that a filter by node returns: those with a node as their target. */
export const nodeBound: readonly AgentType[] = agentTypes.filter(
  (type) => agentTypeEntry(type).nodes.length > 0 && agentTypeEntry(type).place !== 'anywhere',
);

/** The names of PMM for types, in errors and in replies of the management API. */
export const internalNames: Partial<Record<AgentType, string>> = {
  pmm_agent: 'pmm-agent',
  vm_agent: 'vmagent',
  nomad_agent: 'nomad-agent',
  external_exporter: 'external-exporter',
  ...Object.fromEntries(
    agentTypes.filter((type) => /^(qan|rta)_/.test(type)).map((type) => [type, type.replaceAll('_', '-')]),
  ),
};
