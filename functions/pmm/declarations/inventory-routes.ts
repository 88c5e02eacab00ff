import { agentDeclaration, addableAgents, changeableAgents } from './agents.ts';
import { nodeDeclarations, nodeGroups } from './nodes.ts';
import type { Route } from './route.ts';
import { serviceDeclarations, serviceGroups } from './services.ts';

type Call = Omit<Route, 'generation' | 'facade'>;

const reads = { role: 'Viewer' } as const;
const getsOne = { role: 'Viewer', isScoped: true } as const;
const writes = { role: 'Editor' } as const;
const writesOwn = { role: 'Editor', isScoped: true } as const;

const NO_FIRST_NODE =
  'A service on several nodes has the first of them as node_id; one without a node has an empty node_id.';
const TARGETS = 'An agent with several targets shows the first of them.';
const PAGES = 'A reply above 6 MB is an error that names our list with pages.';
const STRICT_ADDRESS = 'A loopback address becomes the name of the node. Otherwise our rules of addresses apply.';
const GROUP = 'An empty group of an external service becomes `external`.';
const NO_LOGS = 'There are no logs: agents report to this service, and do not connect to it.';

const third: readonly Call[] = [
  {
    method: 'GET',
    path: '/v1/inventory/nodes',
    operation: 'listNodes',
    native: ['listNodes'],
    ...getsOne,
    summary: 'List nodes',
    differs: PAGES,
  },
  {
    method: 'POST',
    path: '/v1/inventory/nodes',
    operation: 'addNode',
    native: ['addNode'],
    ...writes,
    summary: 'Add a node',
    differs: STRICT_ADDRESS,
  },
  {
    method: 'GET',
    path: '/v1/inventory/nodes/{node_id}',
    operation: 'getNode',
    native: ['getNode'],
    ...getsOne,
    summary: 'Get a node',
  },
  {
    method: 'DELETE',
    path: '/v1/inventory/nodes/{node_id}',
    operation: 'removeNode',
    native: ['removeNode'],
    ...writesOwn,
    summary: 'Remove a node',
    differs: 'A forced removal keeps services that also run on other nodes, and exporters that run elsewhere.',
  },
  {
    method: 'GET',
    path: '/v1/inventory/services',
    operation: 'listServices',
    native: ['listServices'],
    ...getsOne,
    summary: 'List services',
    differs: `${NO_FIRST_NODE} ${PAGES}`,
  },
  {
    method: 'POST',
    path: '/v1/inventory/services',
    operation: 'addService',
    native: ['addService'],
    ...writesOwn,
    summary: 'Add a service',
  },
  {
    method: 'POST',
    path: '/v1/inventory/services:getTypes',
    operation: 'listServiceTypes',
    native: ['listServiceTypes'],
    ...reads,
    summary: 'List the types of services in use',
  },
  {
    method: 'GET',
    path: '/v1/inventory/services/{service_id}',
    operation: 'getService',
    native: ['getService'],
    ...getsOne,
    summary: 'Get a service',
    differs: NO_FIRST_NODE,
  },
  {
    method: 'PUT',
    path: '/v1/inventory/services/{service_id}',
    operation: 'changeService',
    native: ['changeService'],
    ...writesOwn,
    summary: 'Change a service',
    differs: GROUP,
  },
  {
    method: 'DELETE',
    path: '/v1/inventory/services/{service_id}',
    operation: 'removeService',
    native: ['removeService'],
    ...writesOwn,
    summary: 'Remove a service',
  },
  {
    method: 'GET',
    path: '/v1/inventory/agents',
    operation: 'listAgents',
    native: ['listAgents'],
    ...getsOne,
    summary: 'List agents',
    differs: `${TARGETS} ${PAGES}`,
  },
  {
    method: 'POST',
    path: '/v1/inventory/agents',
    operation: 'addAgent',
    native: ['addAgent'],
    ...writesOwn,
    summary: 'Add an agent',
    differs: 'Credentials are discarded; connection checks are skipped.',
  },
  {
    method: 'GET',
    path: '/v1/inventory/agents/{agent_id}',
    operation: 'getAgent',
    native: ['getAgent'],
    ...getsOne,
    summary: 'Get an agent',
    differs: TARGETS,
  },
  {
    method: 'PUT',
    path: '/v1/inventory/agents/{agent_id}',
    operation: 'changeAgent',
    native: ['changeAgent'],
    ...writesOwn,
    summary: 'Change an agent',
    differs: 'Credentials are discarded.',
  },
  {
    method: 'DELETE',
    path: '/v1/inventory/agents/{agent_id}',
    operation: 'removeAgent',
    native: ['removeAgent'],
    ...writesOwn,
    summary: 'Remove an agent',
  },
  {
    method: 'GET',
    path: '/v1/inventory/agents/{agent_id}/logs',
    operation: 'getAgentLogs',
    native: ['getAgent'],
    ...getsOne,
    summary: 'Get the logs of an agent',
    differs: NO_LOGS,
  },
];

const post = (path: string, operation: string, rest: Omit<Call, 'method' | 'path' | 'operation'>): Call => ({
  method: 'POST',
  path: `/v1/inventory/${path}`,
  operation,
  ...rest,
});

/** PMM 2 writes this suffix after the titles of two types only. */
const serviceSuffix = (type: string) => (type === 'haproxy' || type === 'external' ? 'Service' : '');

const nodeTitle = (type: (typeof nodeGroups)[number]) => {
  const { title, olderTitle = title } = nodeDeclarations[type];
  return olderTitle;
};

/** PMM 2 does not know these. */
const isOlder = (type: string) => !/^(valkey|nomad|rta|qan_mongodb_mongolog)/.test(type);

const IDS = 'Ids have the prefix of PMM 2 in replies; requests may contain them with or without it.';

const second: readonly Call[] = [
  post('Nodes/List', 'listNodes', { native: ['listNodes'], ...getsOne, summary: 'List nodes', differs: IDS }),
  post('Nodes/Get', 'getNode', { native: ['getNode'], ...getsOne, summary: 'Get a node', differs: IDS }),
  post('Nodes/Add', 'addNode', { native: ['addNode'], ...writes, summary: 'Add a node', differs: STRICT_ADDRESS }),
  ...nodeGroups.map((type) =>
    post(`Nodes/Add${nodeTitle(type)}`, 'addNode', {
      type,
      native: ['addNode'],
      ...writes,
      summary: `Add a ${type} node`,
      differs: STRICT_ADDRESS,
    }),
  ),
  post('Nodes/Remove', 'removeNode', { native: ['removeNode'], ...writesOwn, summary: 'Remove a node' }),
  post('Services/List', 'listServices', {
    native: ['listServices'],
    ...getsOne,
    summary: 'List services',
    differs: NO_FIRST_NODE,
  }),
  post('Services/Get', 'getService', {
    native: ['getService'],
    ...getsOne,
    summary: 'Get a service',
    differs: NO_FIRST_NODE,
  }),
  post('Services/ListTypes', 'listServiceTypes', {
    native: ['listServiceTypes'],
    ...reads,
    summary: 'List the types of services in use',
  }),
  post('Services/Add', 'addService', { native: ['addService'], ...writesOwn, summary: 'Add a service' }),
  ...serviceGroups.filter(isOlder).map((type) =>
    post(`Services/Add${serviceDeclarations[type].title}${serviceSuffix(type)}`, 'addService', {
      type,
      native: ['addService'],
      ...writesOwn,
      summary: `Add a ${type} service`,
    }),
  ),
  post('Services/Change', 'changeService', {
    native: ['changeService'],
    ...writesOwn,
    summary: 'Change a service',
    differs: GROUP,
  }),
  post('Services/CustomLabels/Add', 'addServiceLabels', {
    native: ['changeService'],
    ...writesOwn,
    summary: 'Add labels to a service',
  }),
  post('Services/CustomLabels/Remove', 'removeServiceLabels', {
    native: ['changeService'],
    ...writesOwn,
    summary: 'Remove labels of a service',
  }),
  post('Services/Remove', 'removeService', {
    native: ['removeService'],
    ...writesOwn,
    summary: 'Remove a service',
  }),
  post('Agents/List', 'listAgents', { native: ['listAgents'], ...getsOne, summary: 'List agents', differs: TARGETS }),
  post('Agents/Get', 'getAgent', { native: ['getAgent'], ...getsOne, summary: 'Get an agent', differs: TARGETS }),
  post('Agents/GetLogs', 'getAgentLogs', {
    native: ['getAgent'],
    ...getsOne,
    summary: 'Get the logs of an agent',
    differs: NO_LOGS,
  }),
  ...addableAgents.filter(isOlder).map((type) =>
    post(`Agents/Add${agentDeclaration(type).title}`, 'addAgent', {
      type,
      native: ['addAgent'],
      ...writesOwn,
      summary: `Add a ${type}`,
      differs: 'Credentials are discarded; connection checks are skipped.',
    }),
  ),
  ...changeableAgents.filter(isOlder).map((type) =>
    post(`Agents/Change${agentDeclaration(type).title}`, 'changeAgent', {
      type,
      native: ['changeAgent'],
      ...writesOwn,
      summary: `Change a ${type}`,
    }),
  ),
  post('Agents/Remove', 'removeAgent', { native: ['removeAgent'], ...writesOwn, summary: 'Remove an agent' }),
];

/** The inventory API of both generations. */
export const inventoryRoutes: readonly Route[] = [
  ...third.map((call) => ({ ...call, generation: 3, facade: 'inventory' }) as const),
  ...second.map((call) => ({ ...call, generation: 2, facade: 'inventory' }) as const),
];
