import type { Examples } from './example.ts';
import {
  apiKeyText,
  cacheExporter,
  cacheExporterToDeclare,
  changeOf,
  changed,
  exporter,
  exporterId,
  exporterToAdd,
  external,
  externalId,
  externalToAdd,
  morning,
  nodeId,
  noon,
  pmmAgent,
  pmmAgentId,
  requestId,
  serviceId,
  unseen,
} from './objects.ts';

/** An agent as lists show it: without the fields that its process reports. */
function unreported(agent: object) {
  const reported = ['status', 'connected', 'listen_port'];
  return Object.fromEntries(Object.entries(agent).filter(([name]) => !reported.includes(name)));
}

export const agentsExamples = {
  addAgent: {
    pmm_agent: {
      summary: 'A pmm_agent',
      body: { agent_type: 'pmm_agent', runs_on_node_id: nodeId },
      reply: pmmAgent,
    },
    mysqld_exporter: { summary: 'An exporter under a pmm_agent', body: exporterToAdd, reply: exporter },
    external_exporter: { summary: 'An exporter on another node', body: externalToAdd, reply: external },
  },
  listAgents: {
    all: { summary: 'All agents', reply: { agents: [external, ...[exporter, pmmAgent].map(unreported)] } },
  },
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
        stale_at: '2026-03-02T12:10:00.000Z',
        report_after_seconds: 240,
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
  getAgentStates: {
    waiting: {
      summary: 'An exporter that waited for 20 minutes',
      params: { agent_id: exporterId },
      reply: {
        begin: '2026-03-01T12:00:00.000Z',
        end: noon,
        intervals: [
          { state: 'live', status: 'running', begin: '2026-03-01T12:00:00.000Z', end: '2026-03-02T09:00:00.000Z' },
          { state: 'live', status: 'waiting', begin: '2026-03-02T09:00:00.000Z', end: '2026-03-02T09:20:00.000Z' },
          { state: 'live', status: 'running', begin: '2026-03-02T09:20:00.000Z', end: noon },
        ],
        availability: 0.98611,
      },
    },
  },
  takeReports: {
    two: {
      summary: 'A process that began anew, and an agent that is no agent process',
      body: {
        reports: [
          {
            pmm_agent_id: pmmAgentId,
            reset: true,
            agents: [{ agent_id: exporterId, status: 'waiting', status_reason: 'The password file is missing.' }],
          },
          { pmm_agent_id: exporterId, agents: [] },
        ],
      },
      reply: {
        results: [
          {
            status: 200,
            pmm_agent_id: pmmAgentId,
            report: {
              reported_at: noon,
              stale_at: '2026-03-02T12:10:00.000Z',
              report_after_seconds: 240,
              taken: 1,
              refused: [],
            },
          },
          {
            status: 400,
            pmm_agent_id: exporterId,
            error: {
              code: 9,
              status: 'FAILED_PRECONDITION',
              error: `Agent with ID "${exporterId}" is not a pmm_agent.`,
              message: `Agent with ID "${exporterId}" is not a pmm_agent.`,
              details: [],
              request_id: requestId,
            },
          },
        ],
      },
    },
  },
  admitAgents: {
    two: {
      summary: 'A process whose key may report for it, and one with a key that was removed',
      body: {
        admissions: [
          { pmm_agent_id: pmmAgentId, authorization: `Bearer ${apiKeyText}`, source_ip: '10.0.0.1' },
          { pmm_agent_id: externalId, authorization: 'Bearer <removed key>', source_ip: '10.0.0.2' },
        ],
      },
      reply: {
        results: [
          {
            status: 200,
            pmm_agent_id: pmmAgentId,
            node_id: nodeId,
            node_name: 'shop-db-1',
            agents: [
              {
                agent_id: exporterId,
                agent_type: 'mysqld_exporter',
                disabled: true,
                pmm_agent_id: pmmAgentId,
                insights: { service_ids: [serviceId] },
                disable_collectors: [],
                expose_exporter: false,
              },
            ],
            services: [{ service_id: serviceId, service_name: 'shop-mysql', address: '10.0.1.11', port: 3306 }],
          },
          {
            status: 401,
            pmm_agent_id: externalId,
            error: {
              code: 16,
              status: 'UNAUTHENTICATED',
              error: 'Invalid API key',
              message: 'Invalid API key',
              details: [],
              request_id: requestId,
            },
          },
        ],
      },
    },
  },
} satisfies Examples;
