import type { Example } from '../../shared/openapi/document.ts';
import type * as table from '../api/endpoint-table.ts';

const morning = '2026-03-02T09:30:00.000Z';
const noon = '2026-03-02T12:00:00.000Z';
const added = { created_at: morning, updated_at: morning, revision: 1 };
const changed = { created_at: morning, updated_at: noon, revision: 2 };

const nodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e01';
const reportsNodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e02';
const serviceId = '5e0c2f6d-93f4-4e7b-b7a1-2f4d0c9b1a11';
const reportsServiceId = '5e0c2f6d-93f4-4e7b-b7a1-2f4d0c9b1a12';
const pmmAgentId = 'c4a7f3e2-18d9-4c3b-9f60-7d2b5e8a4c21';
const exporterId = 'c4a7f3e2-18d9-4c3b-9f60-7d2b5e8a4c22';
const externalId = 'c4a7f3e2-18d9-4c3b-9f60-7d2b5e8a4c23';
const cacheNodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e03';
const cacheId = '5e0c2f6d-93f4-4e7b-b7a1-2f4d0c9b1a13';
const cacheExporterId = 'c4a7f3e2-18d9-4c3b-9f60-7d2b5e8a4c24';
const keyId = '0f8e4b7c-6a2d-4d19-8c35-91e7b3a5d041';

const requestId = '4f1c9d02-77a3-4a6e-9c1b-2d8e5f60a713';

const changeOf = (kind: string, id: string, change: { time: string; [field: string]: unknown }) => ({
  // Time, transaction and place, as the service makes them up: nobody reads anything out of it.
  change_id: `2${Date.parse(change.time).toString(36).padStart(9, '0')}k3v9x000`,
  actor: { kind: 'api_key', id: keyId, name: 'terraform' },
  request_id: requestId,
  kind,
  id,
  ...change,
});
const planId = '3c9d1f60-2b7e-4a58-9d14-6f0e8c5b7a31';
const webshopNode = {
  node_type: 'generic',
  node_name: 'webshop-db-1',
  address: '10.0.9.1',
  custom_labels: { team: 'webshop' },
};

/** What a read says besides, of what nothing has reported for yet. */
const unseen = (object: object) => ({ ...object, state: 'never_seen' });

const nodeToAdd = {
  node_type: 'generic',
  node_name: 'shop-db-1',
  address: '10.0.1.11',
  distro: 'Debian 13',
  region: 'eu-central-1',
  az: 'eu-central-1a',
  custom_labels: { team: 'shop' },
};
const node = { node_id: nodeId, ...nodeToAdd, ...added };

const reportsNodeToAdd = {
  node_type: 'remote_rds',
  node_name: 'shop-reports',
  address: 'shop-reports',
  node_model: 'db.m7g.large',
  region: 'eu-central-1',
};
const reportsNode = { node_id: reportsNodeId, ...reportsNodeToAdd, custom_labels: {}, ...added };

const serviceToAdd = {
  service_type: 'mysql',
  service_name: 'shop-mysql',
  node_ids: [nodeId],
  address: '10.0.1.11',
  port: 3306,
  environment: 'prod',
  cluster: 'shop',
  custom_labels: { team: 'shop' },
};
const service = { service_id: serviceId, ...serviceToAdd, ...added };
const { cluster, ...withoutCluster } = service;

const reportsServiceToAdd = {
  service_type: 'postgresql',
  service_name: 'shop-reports',
  address: 'reports.shop.example',
  port: 5432,
  environment: 'prod',
};
const reportsService = {
  service_id: reportsServiceId,
  ...reportsServiceToAdd,
  node_ids: [],
  database_name: 'postgres',
  auto_discovery_limit: 0,
  custom_labels: {},
  ...added,
};

const pmmAgent = {
  agent_id: pmmAgentId,
  agent_type: 'pmm_agent',
  runs_on_node_id: nodeId,
  insights: { node_ids: [], service_ids: [] },
  disabled: false,
  connected: false,
  custom_labels: {},
  ...added,
};

const exporterToAdd = {
  agent_type: 'mysqld_exporter',
  pmm_agent_id: pmmAgentId,
  insights: { service_ids: [serviceId] },
  username: 'monitor',
  listen_port: 42001,
  metrics_resolutions: { hr: '5s', mr: '10s', lr: '60s' },
};
const exporter = {
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

const externalToAdd = {
  agent_type: 'external_exporter',
  insights: { service_ids: [reportsServiceId] },
  listen_port: 9187,
  scheme: 'https',
};
const external = {
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

const cacheNodeToDeclare = {
  node_type: 'container',
  address: '10.0.1.12',
  container_id: 'f3c1a2',
  region: 'eu-central-1',
};
const cacheNode = {
  node_id: cacheNodeId,
  ...cacheNodeToDeclare,
  node_name: 'shop cache 1',
  custom_labels: {},
  ...added,
};

const cacheToDeclare = { service_type: 'valkey', node_ids: [cacheNodeId], address: '10.0.1.12', port: 6379 };
const cache = {
  service_id: cacheId,
  ...cacheToDeclare,
  service_name: 'shop-cache',
  custom_labels: {},
  ...added,
};

const cacheExporterToDeclare = {
  agent_type: 'external_exporter',
  runs_on_node_id: cacheNodeId,
  insights: { service_ids: [cacheId] },
  listen_port: 9121,
};
const cacheExporter = {
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

const apiKey = {
  key_id: keyId,
  name: 'terraform',
  role: 'Editor',
  prefix: 'minv_3yTq',
  created_at: morning,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  expires_at: '2026-06-01T09:30:00.000Z',
};

const rotatedKey = {
  ...apiKey,
  prefix: 'minv_5vWx',
  expires_at: '2026-06-01T12:00:00.000Z',
  rotated_at: noon,
  previous_expires_at: '2026-03-02T13:00:00.000Z',
  key: 'minv_5vWx0000000000000000000000000000000000000000_00000000',
};

const removal = {
  removal_id: '0mm8wq1s0k3v9xa',
  removed_at: noon,
  restorable_until: '2026-03-09T12:00:00.000Z',
  actor: { kind: 'api_key', id: keyId, name: 'terraform' },
  request_id: requestId,
  objects: [{ kind: 'node', id: nodeId, name: 'shop-db-1' }],
};

const tokenId = '3b9d1f60-84c7-4a52-b1e0-6d2f7a90c451';

const enrolmentToken = {
  token_id: tokenId,
  name: 'web hosts',
  prefix: 'minv_enrol_8rTz',
  allowed_addresses: ['10.0.3.0/24'],
  created_at: morning,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  expires_at: '2026-03-02T10:00:00.000Z',
};

const tokenForOne = {
  ...enrolmentToken,
  token_id: '3b9d1f60-84c7-4a52-b1e0-6d2f7a90c452',
  name: 'reinstalled shop-db-1',
  prefix: 'minv_enrol_4cYq',
  expires_at: '2026-03-02T10:30:00.000Z',
  node_name: 'shop-db-1',
  allowed_addresses: ['10.0.1.11', 'shop-db-1.example.com'],
  key_time_to_live: '91d',
};

const enrolledNodeId = 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e03';
const enrolledNodeToAdd = { node_type: 'generic', node_name: 'shop-web-1', address: '10.0.3.11' };

const registrar = {
  key_id: '0f8e4b7c-6a2d-4d19-8c35-91e7b3a5d042',
  name: 'registrar/shop-web-1',
  role: 'Registrar',
  allowed_addresses: enrolmentToken.allowed_addresses,
  prefix: 'minv_2hGf',
  created_at: morning,
  created_by: { kind: 'enrolment_token', id: tokenId, name: enrolmentToken.name },
  node_id: enrolledNodeId,
};

const session = {
  session_id: '7d3a9c51-2e8f-4b06-a1d4-5c6b8e9f0a31',
  user_name: 'admin',
  role: 'Admin' as const,
  created_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2026-03-02T21:30:00.000Z',
  last_used_at: '2026-03-02T10:05:12.000Z',
  source_ip: '203.0.113.7',
};

const anotherSession = {
  ...session,
  session_id: 'b2f86e04-9c17-4d53-8e2a-1f7d0c4a6935',
  created_at: '2026-03-02T10:04:00.000Z',
  expires_at: '2026-03-02T22:04:00.000Z',
  source_ip: '198.51.100.23',
};

/**
 * Successful calls of every endpoint, by its id. Together they tell one story, which a test plays on a real server: a
 * database on a machine of its own, one in the cloud, and what gives insight into them.
 */
export const examples: Readonly<Record<keyof typeof table, Readonly<Record<string, Example>>>> = {
  getVersion: {
    release: {
      summary: 'A release',
      reply: {
        version: '0.1.0',
        build: { commit: '9a617c0f6d2b4f0c8b7e5a3d1c9f8e7d6c5b4a39', time: morning },
        api: 'v1',
      },
    },
  },
  getReadiness: { ready: { summary: 'Ready', reply: {} } },
  getCaller: {
    api_key: {
      summary: 'An API key',
      reply: { kind: 'api_key', id: keyId, name: apiKey.name, role: apiKey.role, expires_at: apiKey.expires_at },
    },
  },
  addNode: {
    machine: { summary: 'A machine', body: nodeToAdd, reply: node },
    rds: { summary: 'A managed database instance', body: reportsNodeToAdd, reply: reportsNode },
  },
  listNodes: { all: { summary: 'All nodes', reply: { nodes: [node, reportsNode].map(unseen) } } },
  getNode: { machine: { summary: 'A machine', params: { node_id: nodeId }, reply: unseen(node) } },
  changeNode: {
    move: {
      summary: 'Change the address, add a label, remove a label',
      params: { node_id: nodeId },
      body: { address: '10.0.2.11', custom_labels: { rack: 'r7', team: null } },
      reply: { ...node, address: '10.0.2.11', custom_labels: { rack: 'r7' }, ...changed },
    },
  },
  listNodeHistory: {
    moved: {
      summary: 'Two changes of a node',
      params: { node_id: nodeId },
      reply: {
        changes: [
          changeOf('node', nodeId, {
            action: 'changed',
            ...{ time: noon, revision: 2 },
            before: { address: '10.0.1.11', custom_labels: { team: 'shop' }, updated_at: morning },
            after: { address: '10.0.2.11', custom_labels: { rack: 'r7' }, updated_at: noon },
          }),
          changeOf('node', nodeId, { action: 'added', ...{ time: morning, revision: 1 }, after: node }),
        ],
      },
    },
  },
  upsertNode: {
    added: {
      summary: 'Add a container',
      params: { node_name: cacheNode.node_name },
      body: cacheNodeToDeclare,
      status: 201,
      reply: { ...cacheNode, outcome: 'added' },
    },
    changed: {
      summary: 'Change the address of the container',
      params: { node_name: cacheNode.node_name },
      body: { ...cacheNodeToDeclare, address: '10.0.2.12' },
      reply: { ...cacheNode, address: '10.0.2.12', ...changed, outcome: 'changed' },
    },
    unchanged: {
      summary: 'The same change again',
      params: { node_name: cacheNode.node_name },
      body: { ...cacheNodeToDeclare, address: '10.0.2.12' },
      reply: { ...cacheNode, address: '10.0.2.12', ...changed, outcome: 'unchanged' },
    },
  },
  removeNode: { machine: { summary: 'A machine', params: { node_id: nodeId } } },
  addService: {
    on_a_node: { summary: 'A database on a node', body: serviceToAdd, reply: service },
    on_no_node: { summary: 'A serverless database', body: reportsServiceToAdd, reply: reportsService },
  },
  listServices: { all: { summary: 'All services', reply: { services: [service, reportsService].map(unseen) } } },
  getService: { mysql: { summary: 'A database on a node', params: { service_id: serviceId }, reply: unseen(service) } },
  changeService: {
    upgrade: {
      summary: 'Change the version, leave the cluster',
      params: { service_id: serviceId },
      body: { version: '8.4.4', cluster: null },
      reply: { ...withoutCluster, version: '8.4.4', ...changed },
    },
  },
  listServiceHistory: {
    added: {
      summary: 'Changes of a service',
      params: { service_id: reportsServiceId },
      reply: {
        changes: [
          changeOf('service', reportsServiceId, {
            action: 'added',
            ...{ time: morning, revision: 1 },
            after: reportsService,
          }),
        ],
      },
    },
  },
  upsertService: {
    added: {
      summary: 'Add a service',
      params: { service_name: cache.service_name },
      body: cacheToDeclare,
      status: 201,
      reply: { ...cache, outcome: 'added' },
    },
    unchanged: {
      summary: 'The same change again',
      params: { service_name: cache.service_name },
      body: cacheToDeclare,
      reply: { ...cache, outcome: 'unchanged' },
    },
  },
  removeService: { mysql: { summary: 'A database on a node', params: { service_id: serviceId } } },
  listClusters: {
    one: {
      summary: 'One cluster',
      reply: {
        clusters: [
          {
            cluster: 'shop',
            services: 1,
            nodes: 1,
            services_by_type: { mysql: 1 },
            services_by_state: { never_seen: 1 },
            environments: ['prod'],
          },
        ],
      },
    },
  },
  listServiceTypes: { some: { summary: 'Two types', reply: { service_types: ['mysql', 'postgresql'] } } },
  addAgent: {
    pmm_agent: {
      summary: 'A pmm_agent',
      body: { agent_type: 'pmm_agent', runs_on_node_id: nodeId },
      reply: pmmAgent,
    },
    mysqld_exporter: { summary: 'An exporter under a pmm_agent', body: exporterToAdd, reply: exporter },
    external_exporter: { summary: 'An exporter on another node', body: externalToAdd, reply: external },
  },
  listAgents: { all: { summary: 'All agents', reply: { agents: [external, exporter, pmmAgent].map(unseen) } } },
  getAgent: { mysqld_exporter: { summary: 'An exporter', params: { agent_id: exporterId }, reply: unseen(exporter) } },
  changeAgent: {
    disable: {
      summary: 'Disable an agent and log less',
      params: { agent_id: exporterId },
      body: { disabled: true, log_level: 'warn' },
      reply: { ...exporter, disabled: true, status: 'done', log_level: 'warn', ...changed },
    },
  },
  listAgentHistory: {
    disabled: {
      summary: 'The first page',
      params: { agent_id: pmmAgentId },
      reply: {
        changes: [
          changeOf('agent', pmmAgentId, { action: 'added', ...{ time: morning, revision: 1 }, after: pmmAgent }),
        ],
      },
    },
  },
  upsertAgent: {
    added: {
      summary: 'Add an agent',
      body: cacheExporterToDeclare,
      status: 201,
      reply: { ...cacheExporter, outcome: 'added' },
    },
    unchanged: {
      summary: 'The same change again',
      body: cacheExporterToDeclare,
      reply: { ...cacheExporter, outcome: 'unchanged' },
    },
  },
  removeAgent: {
    mysqld_exporter: { summary: 'An exporter', params: { agent_id: exporterId } },
    pmm_agent: { summary: 'A pmm_agent', params: { agent_id: pmmAgentId } },
  },
  reportAgents: {
    running: {
      summary: 'A report with a refused status',
      params: { agent_id: pmmAgentId },
      body: {
        agents: [
          { agent_id: exporterId, status: 'starting', listen_port: 42001, version: '0.15.1' },
          { agent_id: externalId, status: 'running' },
        ],
      },
      reply: {
        reported_at: noon,
        stale_at: '2026-03-02T12:05:00.000Z',
        taken: 1,
        refused: [
          {
            agent_id: externalId,
            reason: 'not_found',
            message: `Agent with ID "${externalId}" does not exist under this agent process.`,
          },
        ],
      },
    },
  },
  listRemoved: {
    last: {
      summary: 'A removed machine',
      reply: { removals: [removal] },
    },
  },
  restoreRemoved: {
    machine: {
      summary: 'The restored machine',
      params: { removal_id: removal.removal_id },
      reply: { restored: removal.objects, not_restored: [] },
    },
  },
  cleanUp: {
    dry_run: {
      summary: 'A dry run',
      body: { dry_run: true },
      reply: {
        threshold_exceeded: false,
        objects: 4,
        removed: [],
        kept: [
          {
            node_id: cacheNodeId,
            node_name: 'shop cache 1',
            last_seen: morning,
            due_since: '2026-03-02T10:30:00.000Z',
            reason: 'dry_run',
          },
        ],
      },
    },
  },
  listChanges: {
    first: {
      summary: 'A node that was added and removed',
      reply: {
        changes: [
          changeOf('node', cacheNodeId, { action: 'added', ...{ time: morning, revision: 1 }, after: cacheNode }),
          changeOf('node', cacheNodeId, { action: 'removed', ...{ time: noon, revision: 1 }, before: cacheNode }),
        ],
        next: 'rV8mJ0mB2yqkq8lRrYQf1lsiMTc3MjQ0ODYwMDAwMCIsIiJd',
        more: false,
      },
    },
  },
  listAudit: {
    newest: {
      summary: 'A rotated key and its refusals',
      reply: {
        entries: [
          {
            audit_id: `R${Date.parse(noon).toString(36).padStart(9, '0')}0c8f2a1be94d7730`,
            time: noon,
            event: 'call.refused',
            actor: { kind: 'api_key', id: keyId, name: apiKey.name },
            request_id: requestId,
            subject: { kind: 'endpoint', id: 'listApiKeys', name: 'GET /v1/api-keys' },
            reason: 'role',
            source_ip: '192.0.2.17',
            count: 12,
            first_time: '2026-03-02T12:00:04.120Z',
            last_time: '2026-03-02T12:00:51.900Z',
          },
          {
            audit_id: `A${Date.parse(noon).toString(36).padStart(9, '0')}k3v9x0`,
            time: noon,
            event: 'api_key.rotated',
            actor: { kind: 'user', id: 'admin', name: 'admin' },
            request_id: requestId,
            subject: { kind: 'api_key', id: keyId, name: apiKey.name },
            after: {
              rotated_by: 'admin',
              prefix: rotatedKey.prefix,
              superseded_prefix: apiKey.prefix,
              expires_at: rotatedKey.expires_at,
              previous_expires_at: rotatedKey.previous_expires_at,
            },
          },
          {
            ...{ audit_id: `2${Date.parse(morning).toString(36).padStart(9, '0')}k3v9x000`, time: morning },
            event: 'node.added',
            actor: { kind: 'api_key', id: keyId, name: apiKey.name },
            request_id: requestId,
            subject: { kind: 'node', id: cacheNodeId, name: cacheNode.node_name },
            revision: 1,
            after: cacheNode,
          },
        ],
      },
    },
  },
  discoverTargets: {
    two: {
      summary: 'Exporters on a machine and next to a cloud database',
      reply: [
        {
          targets: ['10.0.1.11:42001'],
          labels: {
            __metrics_path__: '/metrics',
            __scheme__: 'http',
            job: 'mysqld_exporter',
            __meta_inventory_expose_exporter: 'false',
            __meta_inventory_node_id: nodeId,
            __meta_inventory_node_name: node.node_name,
            __meta_inventory_node_type: node.node_type,
            __meta_inventory_region: node.region,
            __meta_inventory_az: node.az,
            __meta_inventory_service_id: serviceId,
            __meta_inventory_service_name: service.service_name,
            __meta_inventory_service_type: service.service_type,
            __meta_inventory_environment: service.environment,
            __meta_inventory_cluster: cluster,
            __meta_inventory_agent_id: exporterId,
            __meta_inventory_agent_type: exporter.agent_type,
            __meta_inventory_label_team: 'shop',
          },
        },
        {
          targets: ['reports.shop.example:9187'],
          labels: {
            __metrics_path__: '/metrics',
            __scheme__: 'https',
            job: 'external_exporter',
            __meta_inventory_service_id: reportsServiceId,
            __meta_inventory_service_name: reportsService.service_name,
            __meta_inventory_service_type: reportsService.service_type,
            __meta_inventory_environment: reportsService.environment,
            __meta_inventory_agent_id: externalId,
            __meta_inventory_agent_type: external.agent_type,
          },
        },
      ],
    },
  },
  runBatch: {
    node_with_service: {
      summary: 'Add a node and its database',
      body: {
        operations: [
          { op: 'addNode', ref: 'host', body: nodeToAdd },
          { op: 'addService', ref: 'db', body: { ...serviceToAdd, node_ids: ['$host'] } },
          { op: 'removeAgent', id: pmmAgentId },
        ],
      },
      reply: {
        results: [
          { status: 201, id: nodeId, body: node },
          { status: 201, id: serviceId, body: service },
          {
            status: 404,
            error: {
              code: 5,
              status: 'NOT_FOUND',
              error: `Agent with ID "${pmmAgentId}" not found.`,
              message: `Agent with ID "${pmmAgentId}" not found.`,
              details: [],
              request_id: '6f1c9f52-3d0b-4f0e-9b61-1d8b5a3f2c77',
            },
          },
        ],
      },
    },
    declared: {
      summary: 'Upsert a host',
      body: {
        atomic: true,
        operations: [
          { op: 'upsertNode', ref: 'host', body: nodeToAdd },
          { op: 'upsertService', body: { ...serviceToAdd, node_ids: ['$host'] } },
        ],
      },
      reply: {
        results: [
          { status: 200, id: nodeId, outcome: 'unchanged', body: node },
          { status: 200, id: serviceId, outcome: 'unchanged', body: service },
        ],
      },
    },
  },
  reconcile: {
    plan: {
      summary: 'Plan a machine and its database',
      body: {
        scope: { selector: 'team=webshop' },
        desired: {
          nodes: [webshopNode],
          services: [
            {
              service_type: 'mysql',
              service_name: 'webshop-mysql',
              node_names: ['webshop-db-1'],
              address: '10.0.9.1',
              port: 3306,
              custom_labels: { team: 'webshop' },
            },
          ],
          agents: [
            { agent_type: 'pmm_agent', runs_on_node_name: 'webshop-db-1' },
            {
              agent_type: 'mysqld_exporter',
              runs_on_node_name: 'webshop-db-1',
              insights: { service_names: ['webshop-mysql'] },
            },
          ],
        },
      },
      reply: {
        plan_id: planId,
        expires_at: '2026-03-03T09:30:00.000Z',
        state: 'planned',
        progress: { total: 4, done: 0, failed: 0, skipped: 0 },
        in_scope: 0,
        add: 4,
        change: 0,
        remove: 0,
        unchanged: 0,
        blocked: 0,
        items: [
          { action: 'add', kind: 'node', node_name: 'webshop-db-1' },
          { action: 'add', kind: 'service', service_name: 'webshop-mysql' },
          {
            action: 'add',
            kind: 'agent',
            agent_type: 'pmm_agent',
            runs_on_node_name: 'webshop-db-1',
            insights: { node_names: [], service_names: [] },
          },
          {
            action: 'add',
            kind: 'agent',
            agent_type: 'mysqld_exporter',
            runs_on_node_name: 'webshop-db-1',
            insights: { node_names: [], service_names: ['webshop-mysql'] },
          },
        ],
      },
    },
  },
  getReconciliation: {
    planned: {
      summary: 'A plan that was not applied',
      params: { plan_id: planId },
      reply: {
        plan_id: planId,
        state: 'planned',
        progress: { total: 4, done: 0, failed: 0, skipped: 0 },
        created_at: '2026-03-02T09:30:00.000Z',
        expires_at: '2026-03-03T09:30:00.000Z',
        failures: [],
      },
    },
  },
  cancelReconciliation: {
    planned: {
      summary: 'Cancel a plan',
      params: { plan_id: planId },
      reply: {
        plan_id: planId,
        state: 'cancelled',
        cancelled_by: { kind: 'api_key', id: keyId, name: 'terraform' },
        cancelled_at: '2026-03-02T09:40:00.000Z',
        progress: { total: 4, done: 0, failed: 0, skipped: 0 },
        created_at: '2026-03-02T09:30:00.000Z',
        expires_at: '2026-03-03T09:30:00.000Z',
        failures: [],
      },
    },
  },
  exportInventory: {
    all: {
      summary: 'A small inventory',
      reply: [
        { kind: 'node', object: node },
        { kind: 'service', object: service },
        { kind: 'agent', object: pmmAgent },
        { kind: 'agent', object: exporter },
        { kind: 'end', complete: true },
      ],
    },
  },
  importInventory: {
    restore: {
      summary: 'Import an export again',
      body: [
        { kind: 'node', object: node },
        { kind: 'service', object: service },
        { kind: 'end', complete: true },
      ],
      reply: {
        dry_run: false,
        added: 1,
        changed: 0,
        unchanged: 1,
        refused: 0,
        not_done: 0,
        results: [
          { kind: 'node', id: nodeId, outcome: 'unchanged' },
          { kind: 'service', id: serviceId, outcome: 'added' },
        ],
      },
    },
  },
  addApiKey: {
    for_a_quarter: {
      summary: 'A key that expires after 91 days',
      body: { name: apiKey.name, role: apiKey.role, time_to_live: '91d' },
      reply: { ...apiKey, key: 'minv_3yTq0000000000000000000000000000000000000000_00000000' },
    },
  },
  listApiKeys: {
    all: { summary: 'All keys', reply: { api_keys: [{ ...apiKey, last_used_at: '2026-03-02T11:55:00.000Z' }] } },
  },
  removeApiKey: { terraform: { summary: 'A key', params: { key_id: keyId } } },
  changeApiKey: {
    limit: {
      summary: 'At most twenty requests per second',
      params: { key_id: keyId },
      body: { rate_limit_per_minute: 1200 },
    },
  },
  rotateApiKey: {
    in_an_hour: {
      summary: 'Both secrets work for an hour',
      params: { key_id: keyId },
      body: { overlap: '1h' },
      reply: rotatedKey,
    },
  },
  rotateOwnApiKey: {
    in_an_hour: {
      summary: 'Both secrets work for an hour; the expiry of the key stays',
      body: { overlap: '1h' },
      reply: { ...rotatedKey, expires_at: apiKey.expires_at },
    },
  },
  addEnrolmentToken: {
    for_any_host: {
      summary: 'A new host in a network, within 30 minutes',
      body: { name: enrolmentToken.name, allowed_addresses: enrolmentToken.allowed_addresses, time_to_live: '30m' },
      reply: { ...enrolmentToken, token: 'minv_enrol_8rTz0000000000000000000000000000000000000000_00000000' },
    },
    for_one_host: {
      summary: 'Enrol a host again, with a key that expires after 91 days',
      body: {
        name: tokenForOne.name,
        node_name: tokenForOne.node_name,
        allowed_addresses: tokenForOne.allowed_addresses,
        key_time_to_live: tokenForOne.key_time_to_live,
      },
      reply: { ...tokenForOne, token: 'minv_enrol_4cYq0000000000000000000000000000000000000000_00000000' },
    },
  },
  listEnrolmentTokens: {
    all: { summary: 'All tokens', reply: { enrolment_tokens: [enrolmentToken, tokenForOne] } },
  },
  removeEnrolmentToken: { one: { summary: 'A token', params: { token_id: tokenForOne.token_id } } },
  enrolNode: {
    new_host: {
      summary: 'A new host',
      body: { token: 'minv_enrol_8rTz0000000000000000000000000000000000000000_00000000', node: enrolledNodeToAdd },
      reply: {
        node: { node_id: enrolledNodeId, ...enrolledNodeToAdd, custom_labels: {}, ...added },
        api_key: { ...registrar, key: 'minv_2hGf0000000000000000000000000000000000000000_00000000' },
      },
    },
  },
  addSession: {
    admin: {
      summary: 'Log in as admin',
      reply: {
        session_id: session.session_id,
        name: 'admin',
        role: 'Admin',
        expires_at: session.expires_at,
        key: 'minv_9pKd0000000000000000000000000000000000000000_00000000',
      },
    },
    another: {
      summary: 'Another session of the same user',
      reply: {
        session_id: anotherSession.session_id,
        name: 'admin',
        role: 'Admin',
        expires_at: anotherSession.expires_at,
        key: 'minv_4qLe0000000000000000000000000000000000000000_00000000',
      },
    },
  },
  listSessions: {
    all: { summary: 'All active sessions', reply: { sessions: [session, anotherSession] } },
  },
  endSession: { one: { summary: 'A session', params: { session_id: session.session_id } } },
  removeSession: { own: { summary: 'The current session' } },
};
