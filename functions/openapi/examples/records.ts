import type { Examples } from './example.ts';
import {
  apiKey,
  cacheNode,
  cacheNodeId,
  changeOf,
  keyId,
  morning,
  node,
  nodeId,
  noon,
  removal,
  requestId,
  rotatedKey,
} from './objects.ts';

export const recordsExamples = {
  listRemoved: {
    last: {
      summary: 'A removed machine',
      reply: { removals: [removal] },
    },
  },
  getObjectAsOf: {
    moved: {
      summary: 'A node as it is now',
      params: { kind: 'node', object_id: nodeId },
      reply: { kind: 'node', id: nodeId, time: noon, presence: 'present', from: morning, object: node },
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
  countGroups: {
    by_region: {
      summary: 'Nodes by region',
      reply: {
        groups: [
          { value: 'ap-southeast-2', count: 57, state: 'stale', by_state: { live: 55, stale: 2 } },
          { count: 1, state: 'live', by_state: { live: 1 } },
        ],
      },
    },
  },
  getSummary: {
    small: {
      summary: 'A small inventory',
      reply: {
        computed_at: noon,
        age_seconds: 12,
        complete: true,
        incomplete: [],
        counted_at: noon,
        nodes: { total: 2, silenced: 0, by_state: { live: 1, offline: 1 }, by_type: { generic: 2 } },
        services: { total: 1, silenced: 0, by_state: { live: 1 }, by_type: { mysql: 1 } },
        agents: { total: 1, silenced: 0, by_state: { live: 1 }, by_type: { pmm_agent: 1 } },
        clusters: { total: 1, by_state: { live: 1 }, by_type: { mysql: 1 }, without_live_member: 0 },
        jobs: [
          {
            job: 'cleanup',
            state: 'done',
            begun_at: morning,
            updated_at: morning,
          },
        ],
        zones: [{ region: 'eu', by_state: { live: 1 } }],
        node_states: {
          begin: '2026-03-02T11:30:00.000Z',
          step_seconds: 900,
          live: [2, 2, 1],
          stale: [0, 0, 0],
          offline: [0, 0, 1],
        },
        attention: [
          {
            reason: 'offline',
            kind: 'node',
            count: 1,
            examples: [{ id: cacheNodeId, name: 'shop cache 1' }],
            places: [{ label: 'region', value: 'eu-central-1', count: 1 }],
            list: '/v1/nodes?state=offline',
          },
        ],
        changes: [{ hour: '2026-03-02T09:00:00.000Z', kind: 'node', action: 'added', count: 1 }],
        latest: [],
      },
    },
  },
  getMetrics: {
    one: {
      summary: 'One node',
      reply:
        '# HELP inventory_nodes Nodes by type, state and region.\n# TYPE inventory_nodes gauge\n' +
        'inventory_nodes{type="generic",state="live",region="eu-central-1"} 1\n# EOF\n',
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
        next: 'rV8mJ0mBrV8mJ0mB',
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
            first_time: noon,
            last_time: noon,
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
} satisfies Examples;
