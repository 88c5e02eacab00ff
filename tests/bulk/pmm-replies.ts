/**
 * Replies of a PMM 3 server to GET /v1/inventory/nodes, /services and /agents, shaped as such servers answer: zero values are
 * written out, unset messages are null, every group is there.
 */
const hostId = '0c0a8a4c-2c2f-4d47-9d0a-5b6f7f8f1a01';
const rdsId = '0c0a8a4c-2c2f-4d47-9d0a-5b6f7f8f1a02';
const azureId = '0c0a8a4c-2c2f-4d47-9d0a-5b6f7f8f1a03';
const mysqlId = '4a0f3a5e-7a44-4a08-8e57-0d1c2b3a4f01';
const azureServiceId = '4a0f3a5e-7a44-4a08-8e57-0d1c2b3a4f02';
const externalId = '4a0f3a5e-7a44-4a08-8e57-0d1c2b3a4f03';
const pmmServerDbId = '4a0f3a5e-7a44-4a08-8e57-0d1c2b3a4f04';
const processId = '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a01';

export const ids = { hostId, rdsId, azureId, mysqlId, azureServiceId, externalId, pmmServerDbId, processId };

const noPlace = { node_model: '', region: '', az: '', custom_labels: {} };

export const nodes = {
  generic: [
    {
      node_id: 'pmm-server',
      node_name: 'pmm-server',
      address: '127.0.0.1',
      machine_id: '',
      distro: 'Oracle Linux',
      ...noPlace,
      is_pmm_server_node: true,
    },
    {
      node_id: hostId,
      node_name: 'shop-db-1',
      address: '10.0.1.11',
      machine_id: '7c1f',
      distro: 'linux',
      node_model: 'r6',
      region: 'eu-west-1',
      az: 'eu-west-1a',
      custom_labels: { team: 'shop' },
      is_pmm_server_node: false,
    },
  ],
  container: [],
  remote: [],
  remote_rds: [
    {
      node_id: rdsId,
      node_name: 'reports',
      address: 'reports-db',
      node_model: 'db.m5.large',
      region: 'us-east-1',
      az: 'us-east-1b',
      custom_labels: {},
      instance_id: 'db-ABC',
    },
  ],
  remote_azure_database: [
    { node_id: azureId, node_name: 'billing', address: 'billing.mysql', ...noPlace, region: 'westeurope' },
  ],
};

const noTopology = { environment: '', cluster: '', replication_set: '', custom_labels: {} };

export const services = {
  mysql: [
    {
      service_id: mysqlId,
      service_name: 'shop-mysql',
      node_id: hostId,
      address: '10.0.1.11',
      port: 3306,
      socket: '',
      environment: 'prod',
      cluster: 'shop',
      replication_set: '',
      custom_labels: { tier: 'gold' },
      version: '8.0.36',
      extra_dsn_params: {},
    },
    {
      service_id: azureServiceId,
      service_name: 'billing-mysql',
      node_id: azureId,
      address: 'billing.mysql.example',
      port: 3306,
      socket: '',
      ...noTopology,
      version: '',
    },
  ],
  mongodb: [],
  postgresql: [
    {
      service_id: pmmServerDbId,
      service_name: 'pmm-server-postgresql',
      node_id: 'pmm-server',
      database_name: 'postgres',
      address: '127.0.0.1',
      port: 5432,
      socket: '',
      ...noTopology,
      auto_discovery_limit: 0,
      version: '',
    },
  ],
  proxysql: [],
  haproxy: [],
  external: [{ service_id: externalId, service_name: 'queue', node_id: hostId, ...noTopology, group: 'rabbitmq' }],
  valkey: [],
};

const exporter = {
  disabled: false,
  custom_labels: {},
  push_metrics_enabled: true,
  disabled_collectors: [],
  status: 'AGENT_STATUS_RUNNING',
  listen_port: 42001,
  process_exec_path: '/usr/local/percona/pmm/exporters/x',
  log_level: 'LOG_LEVEL_UNSPECIFIED',
  expose_exporter: false,
  metrics_resolutions: null,
};

export const agents = {
  pmm_agent: [
    {
      agent_id: 'pmm-server',
      runs_on_node_id: 'pmm-server',
      custom_labels: {},
      connected: true,
      process_exec_path: '',
    },
    { agent_id: processId, runs_on_node_id: hostId, custom_labels: { a: 'b' }, connected: true, process_exec_path: '' },
  ],
  vm_agent: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a02',
      pmm_agent_id: processId,
      status: 'AGENT_STATUS_RUNNING',
      process_exec_path: '',
      listen_port: 42000,
    },
  ],
  nomad_agent: [],
  node_exporter: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a03',
      pmm_agent_id: processId,
      ...exporter,
      disabled_collectors: ['zfs'],
      metrics_resolutions: { hr: '600s', mr: '300s', lr: null },
      log_level: 'LOG_LEVEL_ERROR',
    },
  ],
  mysqld_exporter: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a04',
      pmm_agent_id: processId,
      service_id: mysqlId,
      username: 'monitor',
      tls: true,
      tls_skip_verify: false,
      tls_ca: '-----BEGIN CERTIFICATE-----',
      tls_cert: '',
      tls_key: '',
      tablestats_group_table_limit: 1000,
      table_count: 12,
      tablestats_group_disabled: false,
      extra_dsn_params: { allowCleartextPasswords: '1' },
      connection_timeout: null,
      ...exporter,
    },
  ],
  qan_mysql_slowlog_agent: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a05',
      pmm_agent_id: processId,
      disabled: true,
      service_id: mysqlId,
      username: 'monitor',
      tls: false,
      tls_skip_verify: false,
      disable_comments_parsing: false,
      max_query_length: 0,
      query_examples_disabled: true,
      max_slowlog_file_size: '1073741824',
      custom_labels: {},
      status: 'AGENT_STATUS_DONE',
      process_exec_path: '',
      log_level: 'LOG_LEVEL_WARN',
    },
  ],
  rds_exporter: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a06',
      pmm_agent_id: 'pmm-server',
      disabled: false,
      node_id: rdsId,
      aws_access_key: 'AKIAEXAMPLE',
      custom_labels: {},
      status: 'AGENT_STATUS_UNKNOWN',
      listen_port: 0,
      basic_metrics_disabled: true,
      enhanced_metrics_disabled: false,
      push_metrics_enabled: false,
      process_exec_path: '',
      log_level: 'LOG_LEVEL_UNSPECIFIED',
      auto_discovery_limit: 5,
      metrics_resolutions: null,
    },
  ],
  azure_database_exporter: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a07',
      pmm_agent_id: 'pmm-server',
      disabled: false,
      node_id: azureId,
      azure_database_subscription_id: 'sub-1',
      azure_database_resource_type: '',
      custom_labels: {},
      status: 'AGENT_STATUS_INITIALIZATION_ERROR',
      listen_port: 0,
      push_metrics_enabled: false,
      process_exec_path: '',
      log_level: 'LOG_LEVEL_UNSPECIFIED',
      metrics_resolutions: null,
    },
  ],
  external_exporter: [
    {
      agent_id: '9e107d9d-372b-4b68-9a5d-2f0e1c3b5a08',
      runs_on_node_id: hostId,
      disabled: false,
      service_id: externalId,
      username: '',
      scheme: 'https',
      metrics_path: '/m',
      custom_labels: {},
      listen_port: 15692,
      push_metrics_enabled: false,
      process_exec_path: '',
      metrics_resolutions: null,
      tls_skip_verify: true,
    },
  ],
  otel_collector: [],
};
