import * as z from 'zod/mini';
import type { Dependencies } from '../functions/runtime/dependencies.ts';
import { authorizerEvent } from '../local/gateway/proxy-event.ts';
import { eventOf, openInvocations, type Request } from '../tests/costs/invocation.ts';
import { newKey } from './inventory.ts';
import { newNode, putNodes } from './nodes.ts';

/** A request that is measured, with the name that docs/costs.md has for it. */
export interface MeasuredRequest {
  name: string;
  /** Name of the function and of its bundle. */
  function: string;
  /** The next event: another one at each call where the request changes something. */
  event: () => unknown;
}

/** Nodes in the table besides those that are removed: more than a page of a list. */
const NODES = 150;

const addedSchema = z.object({
  node_id: z.optional(z.string()),
  service_id: z.optional(z.string()),
  agent_id: z.optional(z.string()),
});

interface Host {
  nodeId: string;
  serviceId: string;
  processId: string;
  exporterId: string;
}

/** Adds a node with a pmm_agent, a service and an exporter by the API. */
async function addHost(dependencies: Dependencies, name: string): Promise<Host> {
  const { invoke } = await openInvocations(dependencies);
  const add = async (id: string, url: string, body: object) => {
    const reply = await invoke(id, eventOf({ method: 'POST', url, body }));
    if (reply.statusCode !== 201) throw new Error(`${id}: ${reply.body}`);
    return z.parse(addedSchema, JSON.parse(reply.body));
  };
  const node = { node_type: 'generic', node_name: name, address: '10.0.0.1' };
  const { node_id: nodeId = '' } = await add('addNode', '/v1/nodes', node);
  const service = { service_type: 'mysql', service_name: name, address: '10.0.0.1', port: 3306, node_ids: [nodeId] };
  const { service_id: serviceId = '' } = await add('addService', '/v1/services', service);
  const process = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  const { agent_id: processId = '' } = await add('addAgent', '/v1/agents', process);
  const exporter = { agent_type: 'node_exporter', pmm_agent_id: processId };
  const { agent_id: exporterId = '' } = await add('addAgent', '/v1/agents', exporter);
  return { nodeId, serviceId, processId, exporterId };
}

/** @param request the next request. */
const measured = (id: string, name: string, request: () => Request): MeasuredRequest => ({
  function: id,
  name: `${id}, ${name}`,
  event: () => eventOf(request()),
});

function reports({ processId, exporterId }: Host, next: () => number): MeasuredRequest[] {
  const report = (version: string) => ({
    method: 'POST',
    url: `/v1/agents/${processId}/report`,
    body: { agents: [{ agent_id: exporterId, status: 'running', listen_port: 42_000, version }] },
  });
  return [
    measured('reportAgents', 'what it said last', () => report('1.9.0')),
    // Every version may follow every other one, unlike a status. The report is taken in the same way.
    measured('reportAgents', 'another status', () => report(String(next()))),
  ];
}

function reads({ nodeId }: Host): MeasuredRequest[] {
  const get = (url: string) => () => ({ method: 'GET', url });
  return [
    measured('getNode', 'a node', get(`/v1/nodes/${nodeId}`)),
    measured('listNodes', '100', get('/v1/nodes?page_size=100')),
    measured('listNodes', '100, with their states', get('/v1/nodes?page_size=100&include=state')),
  ];
}

function writes({ nodeId, serviceId, processId }: Host, removable: string[], next: () => number): MeasuredRequest[] {
  const node = () => ({ node_type: 'generic', node_name: `new-${next()}`, address: '10.0.0.1' });
  const mysql = { service_type: 'mysql', address: '10.0.0.1', port: 3306, node_ids: [nodeId] };
  const exporter = {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: processId,
    insights: { service_ids: [serviceId] },
  };
  const post = (url: string, body: () => object) => () => ({ method: 'POST', url, body: body() });
  return [
    measured('addNode', 'a node', post('/v1/nodes', node)),
    measured(
      'addService',
      'on one node',
      post('/v1/services', () => ({ ...mysql, service_name: `new-${next()}` })),
    ),
    measured(
      'addAgent',
      'under a pmm_agent, with a service as target',
      post('/v1/agents', () => exporter),
    ),
    measured('changeNode', 'a label', () => ({
      method: 'PATCH',
      url: `/v1/nodes/${nodeId}`,
      body: { custom_labels: { team: `t${next()}` } },
    })),
    measured('removeNode', 'a leaf', () => ({ method: 'DELETE', url: `/v1/nodes/${removable.pop() ?? ''}` })),
  ];
}

/**
 * Prepares a table for the requests of docs/costs.md.
 *
 * @param calls the maximum number of calls of each.
 */
export async function measuredRequests(dependencies: Dependencies, calls: number): Promise<MeasuredRequest[]> {
  const nodes = Array.from({ length: NODES + calls }, (_, number) => newNode(number));
  await putNodes(dependencies.table, nodes);
  const removable = nodes.slice(NODES).map(({ node_id: id }) => id);
  const { text: key } = await newKey(dependencies.table);
  const headers = { Authorization: `Bearer ${key}` };
  const reporting = await addHost(dependencies, 'reporting-host');
  // A report reads all agents of its process: those that are added belong to another one.
  const changing = await addHost(dependencies, 'changing-host');
  let count = 0;
  const next = () => (count += 1);
  const authorise = () => authorizerEvent(eventOf({ method: 'GET', url: '/v1/version', headers }));
  return [
    ...reports(reporting, next),
    ...reads(reporting),
    ...writes(changing, removable, next),
    { function: 'authorizer', name: 'authorizer, a key', event: authorise },
  ];
}
