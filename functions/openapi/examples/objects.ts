/** Objects and values that several examples contain. */
export const morning = '2026-03-02T09:30:00.000Z';
export const noon = '2026-03-02T12:00:00.000Z';
export const added = { created_at: morning, updated_at: morning, revision: 1 };
export const changed = { created_at: morning, updated_at: noon, revision: 2 };

export const nodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e01';
const reportsNodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e02';
export const serviceId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e11';
export const reportsServiceId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e12';
export const pmmAgentId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e21';
export const exporterId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e22';
export const externalId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e23';
export const cacheNodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e03';
const cacheId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e13';
const cacheExporterId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e24';
export const keyId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e41';

export const requestId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e51';

export const changeOf = (kind: string, id: string, change: { time: string; [field: string]: unknown }) => ({
  // Time, transaction and index, as the service generates them; clients treat the id as opaque.
  change_id: `2${Date.parse(change.time).toString(36).padStart(9, '0')}k3v9x000`,
  actor: { kind: 'api_key', id: keyId, name: 'terraform' },
  request_id: requestId,
  kind,
  id,
  ...change,
});
export const planDigest = 'Zk3o9wq1Zk3o9wq1Zk3o9wq1Zk3o9wq1Zk3o9wq1Zk3';
export const planId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e71';
export const webshopNode = {
  node_type: 'generic',
  node_name: 'webshop-db-1',
  address: '10.0.9.1',
  custom_labels: { team: 'webshop' },
};

/** The fields that reads add for an object without reports. */
export const unseen = (object: object) => ({ ...object, state: 'never_seen' });

export const nodeToAdd = {
  node_type: 'generic',
  node_name: 'shop-db-1',
  address: '10.0.1.11',
  distro: 'Debian 13',
  region: 'eu-central-1',
  az: 'eu-central-1a',
  custom_labels: { team: 'shop' },
};
export const node = { node_id: nodeId, ...nodeToAdd, ...added };

export const reportsNodeToAdd = {
  node_type: 'remote_rds',
  node_name: 'shop-reports',
  address: 'shop-reports',
  node_model: 'db.m7g.large',
  region: 'eu-central-1',
};
export const reportsNode = { node_id: reportsNodeId, ...reportsNodeToAdd, custom_labels: {}, ...added };

export const serviceToAdd = {
  service_type: 'mysql',
  service_name: 'shop-mysql',
  node_ids: [nodeId],
  address: '10.0.1.11',
  port: 3306,
  environment: 'prod',
  cluster: 'shop',
  custom_labels: { team: 'shop' },
};
export const service = { service_id: serviceId, ...serviceToAdd, ...added };
export const { cluster, ...withoutCluster } = service;

export const reportsServiceToAdd = {
  service_type: 'postgresql',
  service_name: 'shop-reports',
  address: 'reports.shop.example',
  port: 5432,
  environment: 'prod',
};
export const reportsService = {
  service_id: reportsServiceId,
  ...reportsServiceToAdd,
  node_ids: [],
  database_name: 'postgres',
  auto_discovery_limit: 0,
  custom_labels: {},
  ...added,
};

export const pmmAgent = {
  agent_id: pmmAgentId,
  agent_type: 'pmm_agent',
  runs_on_node_id: nodeId,
  insights: { node_ids: [], service_ids: [] },
  disabled: false,
  connected: false,
  custom_labels: {},
  ...added,
};

export const exporterToAdd = {
  agent_type: 'mysqld_exporter',
  pmm_agent_id: pmmAgentId,
  insights: { service_ids: [serviceId] },
  username: 'monitor',
  listen_port: 42001,
  metrics_resolutions: { hr: '5s', mr: '10s', lr: '60s' },
};
export const exporter = {
  agent_id: exporterId,
  ...exporterToAdd,
  runs_on_node_id: nodeId,
  insights: { node_ids: [], service_ids: [serviceId] },
  status: 'unknown',
  disabled: false,
  push_metrics: false,
  expose_exporter: false,
  disable_collectors: [],
  tls: false,
  tls_skip_verify: false,
  tablestats_group_table_limit: 0,
  custom_labels: {},
  ...added,
};

export const externalToAdd = {
  agent_type: 'external_exporter',
  insights: { service_ids: [reportsServiceId] },
  listen_port: 9187,
  scheme: 'https',
};
export const external = {
  agent_id: externalId,
  ...externalToAdd,
  insights: { node_ids: [], service_ids: [reportsServiceId] },
  status: 'unknown',
  disabled: false,
  push_metrics: false,
  metrics_path: '/metrics',
  tls_skip_verify: false,
  custom_labels: {},
  ...added,
};

export const cacheNodeToDeclare = {
  node_type: 'container',
  address: '10.0.1.12',
  container_id: 'f3c1a2',
  region: 'eu-central-1',
};
export const cacheNode = {
  node_id: cacheNodeId,
  ...cacheNodeToDeclare,
  node_name: 'shop cache 1',
  custom_labels: {},
  ...added,
};

export const cacheToDeclare = { service_type: 'valkey', node_ids: [cacheNodeId], address: '10.0.1.12', port: 6379 };
export const cache = {
  service_id: cacheId,
  ...cacheToDeclare,
  service_name: 'shop-cache',
  custom_labels: {},
  ...added,
};

export const cacheExporterToDeclare = {
  agent_type: 'external_exporter',
  runs_on_node_id: cacheNodeId,
  insights: { service_ids: [cacheId] },
  listen_port: 9121,
};
export const cacheExporter = {
  agent_id: cacheExporterId,
  ...cacheExporterToDeclare,
  insights: { node_ids: [], service_ids: [cacheId] },
  scheme: 'http',
  metrics_path: '/metrics',
  tls_skip_verify: false,
  push_metrics: false,
  disabled: false,
  status: 'unknown',
  custom_labels: {},
  ...added,
};

export const apiKey = {
  key_id: keyId,
  name: 'terraform',
  role: 'Editor',
  prefix: 'minv_3yTq',
  created_at: morning,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  expires_at: '2026-06-01T09:30:00.000Z',
};

/** The text of the key, which is shown once. */
export const apiKeyText = 'minv_3yTq0000000000000000000000000000000000000000_00000000';

export const rotatedKey = {
  ...apiKey,
  prefix: 'minv_5vWx',
  expires_at: '2026-06-01T12:00:00.000Z',
  rotated_at: noon,
  previous_expires_at: '2026-03-02T13:00:00.000Z',
  key: 'minv_5vWx0000000000000000000000000000000000000000_00000000',
};

export const removal = {
  removal_id: '0mm8wq1s0k3v9xa',
  removed_at: noon,
  restorable_until: '2026-03-09T12:00:00.000Z',
  actor: { kind: 'api_key', id: keyId, name: 'terraform' },
  request_id: requestId,
  objects: [{ kind: 'node', id: nodeId, name: 'shop-db-1', change_id: '20mm9q1s00k3v9x000' }],
};

export const tokenId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e81';

export const enrolmentToken = {
  token_id: tokenId,
  name: 'web hosts',
  prefix: 'minv_enrol_3yTq',
  allowed_addresses: ['10.0.3.0/24'],
  created_at: morning,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  expires_at: '2026-03-02T10:00:00.000Z',
};

export const tokenForOne = {
  ...enrolmentToken,
  token_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e82',
  name: 'reinstalled shop-db-1',
  prefix: 'minv_enrol_4cYq',
  expires_at: '2026-03-02T10:30:00.000Z',
  node_name: 'shop-db-1',
  allowed_addresses: ['10.0.1.11', 'shop-db-1.example.com'],
  key_time_to_live: '91d',
};

export const enrolledNodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e03';
export const enrolledNodeToAdd = { node_type: 'generic', node_name: 'shop-web-1', address: '10.0.3.11' };

export const registrar = {
  key_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e42',
  name: 'registrar/shop-web-1',
  role: 'Registrar',
  allowed_addresses: enrolmentToken.allowed_addresses,
  prefix: 'minv_5vWx',
  created_at: morning,
  created_by: { kind: 'enrolment_token', id: tokenId, name: enrolmentToken.name },
  node_id: enrolledNodeId,
};

export const session = {
  session_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e91',
  user_name: 'admin',
  role: 'Admin' as const,
  created_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2026-03-02T12:10:00.000Z',
  last_used_at: '2026-03-02T10:30:00.000Z',
  source_ip: '203.0.113.7',
};

export const anotherSession = {
  ...session,
  session_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7ec1',
  created_at: '2026-03-02T10:30:00.000Z',
  expires_at: '2026-03-02T12:10:00.000Z',
  source_ip: '198.51.100.23',
};

export const user = {
  user_id: 'maria.lopez',
  user_name: 'maria.lopez',
  provider: 'local',
  role: 'Editor',
  state: 'invited',
  created_at: morning,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  invitation_expires_at: '2026-03-05T09:30:00.000Z',
};

const { invitation_expires_at: _end, ...withoutInvitation } = user;

export const activeUser = {
  ...withoutInvitation,
  state: 'active',
  password_set_at: noon,
  last_login_at: noon,
};
