import { text } from '../../../shared/core/text.ts';
import type { AgentOption } from './options.ts';
import { type NodeType, nodeTypes } from '../node/types.ts';
import { type ServiceType, serviceTypes } from '../service/types.ts';

const exporter = ['listen_port', 'push_metrics', 'metrics_resolutions'] as const;
const ownExporter = [...exporter, 'log_level', 'disable_collectors', 'expose_exporter'] as const;
const cloudExporter = [...exporter, 'log_level'] as const;
const login = ['username', 'tls', 'tls_skip_verify', 'connection_timeout'] as const;
const mongodbLogin = ['authentication_mechanism', 'authentication_database'] as const;
const analytics = ['username', 'tls', 'tls_skip_verify', 'log_level'] as const;
const queries = [...analytics, 'max_query_length'] as const;
const mysqlQueries = [...queries, 'disable_query_examples', 'disable_comments_parsing', 'extra_dsn_params'] as const;

export interface AgentTypeEntry {
  description: string;
  /**
   * The place: `node`: it has the id of its node, and is a process that reports for it; `pmm_agent`: it runs under an agent
   * process, on the node of that one; `anywhere`: it may have the id of a node, and no agent process starts it.
   */
  place: 'node' | 'pmm_agent' | 'anywhere';
  /** Types of services and of nodes that it accepts as targets. */
  services: readonly ServiceType[];
  nodes: readonly NodeType[];
  /**
   * Without targets, its own node becomes its target. An older version knows only one of its two natural keys: a release that adds
   * such a type raises the format of the table.
   */
  watchesItsNode?: boolean;
  options: readonly AgentOption[];
  required?: readonly AgentOption[];
}

const hosts = ['generic', 'container'] as const;

/** Every type of agent: its place, its permitted targets, and its fields. */
const types = {
  pmm_agent: {
    description: 'The agent process of a node; starts and stops the agents under it.',
    place: 'node',
    services: [],
    nodes: [],
    options: [],
  },
  vm_agent: {
    description: 'Scrapes the exporters of its node and forwards the metrics.',
    place: 'pmm_agent',
    services: [],
    nodes: hosts,
    options: ['listen_port'],
  },
  nomad_agent: {
    description: 'Runs jobs on its node.',
    place: 'pmm_agent',
    services: [],
    nodes: hosts,
    options: ['listen_port'],
  },
  node_exporter: {
    description: 'Metrics of a machine.',
    place: 'pmm_agent',
    services: [],
    nodes: hosts,
    watchesItsNode: true,
    options: ownExporter,
  },
  mysqld_exporter: {
    description: 'Metrics of MySQL.',
    place: 'pmm_agent',
    services: ['mysql'],
    nodes: [],
    options: [...ownExporter, ...login, 'tablestats_group_table_limit', 'extra_dsn_params'],
  },
  mongodb_exporter: {
    description: 'Metrics of MongoDB.',
    place: 'pmm_agent',
    services: ['mongodb'],
    nodes: [],
    options: [
      ...ownExporter,
      ...login,
      ...mongodbLogin,
      'stats_collections',
      'collections_limit',
      'enable_all_collectors',
      'environment_variable_names',
    ],
  },
  postgres_exporter: {
    description: 'Metrics of PostgreSQL.',
    place: 'pmm_agent',
    services: ['postgresql'],
    nodes: [],
    options: [...ownExporter, ...login, 'auto_discovery_limit', 'max_exporter_connections'],
  },
  proxysql_exporter: {
    description: 'Metrics of ProxySQL.',
    place: 'pmm_agent',
    services: ['proxysql'],
    nodes: [],
    options: [...ownExporter, ...login],
  },
  valkey_exporter: {
    description: 'Metrics of Valkey.',
    place: 'pmm_agent',
    services: ['valkey'],
    nodes: [],
    options: [...ownExporter, ...login],
  },
  rds_exporter: {
    description: 'Metrics of Amazon RDS instances.',
    place: 'pmm_agent',
    services: ['mysql', 'postgresql'],
    nodes: ['remote_rds'],
    options: [...cloudExporter, 'aws_role_arn', 'disable_basic_metrics', 'disable_enhanced_metrics'],
  },
  azure_database_exporter: {
    description: 'Metrics of Azure databases.',
    place: 'pmm_agent',
    services: ['mysql', 'postgresql'],
    nodes: ['remote_azure_database'],
    options: [...cloudExporter, 'azure_subscription_id', 'azure_resource_group', 'azure_database_resource_type'],
    required: ['azure_database_resource_type'],
  },
  qan_mysql_perfschema_agent: {
    description: 'Query analytics of MySQL from the performance schema.',
    place: 'pmm_agent',
    services: ['mysql'],
    nodes: [],
    options: mysqlQueries,
  },
  qan_mysql_slowlog_agent: {
    description: 'Query analytics of MySQL from the slow log.',
    place: 'pmm_agent',
    services: ['mysql'],
    nodes: [],
    options: [...mysqlQueries, 'max_slowlog_file_size'],
  },
  qan_mongodb_profiler_agent: {
    description: 'Query analytics of MongoDB from the profiler.',
    place: 'pmm_agent',
    services: ['mongodb'],
    nodes: [],
    options: [...queries, ...mongodbLogin],
  },
  qan_mongodb_mongolog_agent: {
    description: 'Query analytics of MongoDB from its log.',
    place: 'pmm_agent',
    services: ['mongodb'],
    nodes: [],
    options: [...queries, ...mongodbLogin],
  },
  qan_postgresql_pgstatements_agent: {
    description: 'Query analytics of PostgreSQL from pg_stat_statements.',
    place: 'pmm_agent',
    services: ['postgresql'],
    nodes: [],
    options: [...queries, 'disable_comments_parsing'],
  },
  qan_postgresql_pgstatmonitor_agent: {
    description: 'Query analytics of PostgreSQL from pg_stat_monitor.',
    place: 'pmm_agent',
    services: ['postgresql'],
    nodes: [],
    options: [...queries, 'disable_query_examples', 'disable_comments_parsing'],
  },
  rta_mongodb_agent: {
    description: 'Real-time analytics of MongoDB.',
    place: 'pmm_agent',
    services: ['mongodb'],
    nodes: [],
    options: [...analytics, 'rta_options'],
  },
  rta_mysql_agent: {
    description: 'Real-time analytics of MySQL.',
    place: 'pmm_agent',
    services: ['mysql'],
    nodes: [],
    options: [...analytics, 'rta_options'],
  },
  otel_collector: {
    description: 'An OpenTelemetry collector, which reports by OpAMP.',
    place: 'node',
    services: [],
    nodes: [],
    options: ['collector_name'],
    required: ['collector_name'],
  },
  external_exporter: {
    description: 'A program outside the inventory that exposes metrics.',
    place: 'anywhere',
    services: serviceTypes,
    nodes: nodeTypes,
    options: [...exporter, 'username', 'scheme', 'metrics_path', 'tls_skip_verify'],
    required: ['listen_port'],
  },
} as const satisfies Record<string, AgentTypeEntry>;

export type AgentType = keyof typeof types;

export const agentTypes = [
  'pmm_agent',
  'vm_agent',
  'nomad_agent',
  'node_exporter',
  'mysqld_exporter',
  'mongodb_exporter',
  'postgres_exporter',
  'proxysql_exporter',
  'valkey_exporter',
  'rds_exporter',
  'azure_database_exporter',
  'qan_mysql_perfschema_agent',
  'qan_mysql_slowlog_agent',
  'qan_mongodb_profiler_agent',
  'qan_mongodb_mongolog_agent',
  'qan_postgresql_pgstatements_agent',
  'qan_postgresql_pgstatmonitor_agent',
  'rta_mongodb_agent',
  'rta_mysql_agent',
  'otel_collector',
  'external_exporter',
] as const satisfies AgentType[];

/** A type that a newer version has added: nothing is known of it. */
const newerType: AgentTypeEntry = { description: '', place: 'anywhere', services: [], nodes: [], options: [] };

export function agentTypeEntry(type: AgentType): AgentTypeEntry {
  return Object.hasOwn(types, type) ? types[type] : newerType;
}

/** Whether agents of this type report for their node: agent processes and collectors. */
export const isReporter = (type: AgentType): boolean => agentTypeEntry(type).place === 'node';

/** The last reported status of an agent. `unknown`: no report so far; `done`: not running, or disabled. */
export const agentStatuses = ['unknown', 'starting', 'running', 'waiting', 'stopping', 'done'] as const;

export type AgentStatus = (typeof agentStatuses)[number];

/**
 * A status that is computed, never reported or stored: the gateway never starts agents of this type (never-started.ts). It reports
 * them as `waiting`, a word that every version on the table can read.
 */
export const computedStatuses = ['not_supported'] as const;

/** The statuses that replies contain. */
export const shownStatuses = [...agentStatuses, ...computedStatuses] as const;

export type ShownStatus = (typeof shownStatuses)[number];

/** The reason of a status in words, for people. */
export const statusReason = () => text({ max: 256 });
