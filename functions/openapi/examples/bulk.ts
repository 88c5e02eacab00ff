import type { Examples } from './example.ts';
import {
  exporter,
  keyId,
  node,
  nodeId,
  nodeToAdd,
  planDigest,
  planId,
  pmmAgent,
  pmmAgentId,
  service,
  serviceId,
  serviceToAdd,
  webshopNode,
} from './objects.ts';

/** A scope with all its objects. */
const webshop = {
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
};

const webshopItems = [
  { action: 'add' as const, kind: 'node' as const, node_name: 'webshop-db-1' },
  { action: 'add' as const, kind: 'service' as const, service_name: 'webshop-mysql' },
  {
    action: 'add' as const,
    kind: 'agent' as const,
    agent_type: 'pmm_agent' as const,
    runs_on_node_name: 'webshop-db-1',
    insights: { node_names: [], service_names: [] },
  },
  {
    action: 'add' as const,
    kind: 'agent' as const,
    agent_type: 'mysqld_exporter' as const,
    runs_on_node_name: 'webshop-db-1',
    insights: { node_names: [], service_names: ['webshop-mysql'] },
  },
];

const webshopIds = [nodeId, serviceId, pmmAgentId, exporter.agent_id];

export const bulkExamples = {
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
              request_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7ea1',
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
        ...webshop,
      },
      reply: {
        plan_id: planId,
        plan_digest: planDigest,
        expires_at: '2026-03-03T09:30:00.000Z',
        state: 'planned',
        progress: { total: 4, done: 0, failed: 0, skipped: 0 },
        in_scope: 0,
        add: 4,
        change: 0,
        remove: 0,
        unchanged: 0,
        blocked: 0,
        items: webshopItems,
      },
    },
    reviewed: {
      summary: 'Apply the plan that was reviewed',
      body: { mode: 'apply', plan_digest: planDigest, ...webshop },
      reply: {
        plan_id: '0d0b1f0e-95a5-8c1c-8d0a-5b6f3a1c2e47',
        expires_at: '2026-03-05T09:30:00.000Z',
        state: 'done',
        progress: { total: 4, done: 4, failed: 0, skipped: 0 },
        in_scope: 0,
        add: 4,
        change: 0,
        remove: 0,
        unchanged: 0,
        blocked: 0,
        items: webshopItems.map((item, index) => ({ ...item, id: webshopIds[index], outcome: 'done' as const })),
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
        cancelled_at: '2026-03-02T10:30:00.000Z',
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
} satisfies Examples;
