import { agentDeclaration, addableAgents, changeableAgents } from './agents.ts';
import { nodeDeclarations, nodeGroups } from './nodes.ts';
import { access, call, type CallDeclaration, routesOf } from './route.ts';
import { serviceDeclarations, serviceGroups } from './services.ts';

const { reads, readsOwn, writes, writesOwn } = access;

const NO_FIRST_NODE = 'A service on several nodes has the first one as node_id; without a node it is empty.';
const TARGETS = 'An agent with several targets shows the first of them.';
const PAGES = 'Above 6 MB the largest objects lack values (label `__dropped_values__`), or an error names our list.';
const STRICT_ADDRESS = 'A loopback address becomes the name of the node. Otherwise our rules of addresses apply.';
const GROUP = 'An empty group of an external service becomes `external`.';
const NO_LOGS = 'There are no logs: agents keep theirs on their hosts.';
const DISCARDED = 'Credentials are discarded; connection checks are skipped.';
const IDS = 'Ids have the prefix of PMM 2 in replies; requests may contain them with or without it.';
const FORCED = 'A forced removal keeps services on other nodes too, and exporters that run elsewhere.';

/** PMM 2 writes this suffix after the titles of two types only. */
const serviceSuffix = (type: string) => (type === 'haproxy' || type === 'external' ? 'Service' : '');

const nodeTitle = (type: (typeof nodeGroups)[number]) => {
  const { title, olderTitle = title } = nodeDeclarations[type];
  return olderTitle;
};

/** PMM 2 does not know these. */
const isOlder = (type: string) => !/^(valkey|nomad|rta|qan_mongodb_mongolog)/.test(type);

const nodes: readonly CallDeclaration[] = [
  call('listNodes', 'List nodes', readsOwn, {
    ...{ 3: 'GET nodes', 2: 'POST Nodes/List', differs: { 3: PAGES, 2: IDS } },
  }),
  call('getNode', 'Get a node', readsOwn, {
    ...{ 3: 'GET nodes/{node_id}', 2: 'POST Nodes/Get', differs: { 2: IDS } },
  }),
  call('addNode', 'Add a node', writes, { 3: 'POST nodes', 2: 'POST Nodes/Add', differs: STRICT_ADDRESS }),
  ...nodeGroups.map((type) =>
    call('addNode', `Add a ${type} node`, writes, {
      ...{ type, 2: `POST Nodes/Add${nodeTitle(type)}`, differs: STRICT_ADDRESS },
    }),
  ),
  call('removeNode', 'Remove a node', writesOwn, {
    ...{ 3: 'DELETE nodes/{node_id}', 2: 'POST Nodes/Remove', differs: { 3: FORCED } },
  }),
];

const services: readonly CallDeclaration[] = [
  call('listServices', 'List services', readsOwn, {
    ...{ 3: 'GET services', 2: 'POST Services/List' },
    differs: { 3: `${NO_FIRST_NODE} ${PAGES}`, 2: NO_FIRST_NODE },
  }),
  call('getService', 'Get a service', readsOwn, {
    ...{ 3: 'GET services/{service_id}', 2: 'POST Services/Get', differs: NO_FIRST_NODE },
  }),
  call('listServiceTypes', 'List the types of services in use', reads, {
    ...{ 3: 'POST services:getTypes', 2: 'POST Services/ListTypes' },
  }),
  call('addService', 'Add a service', writesOwn, { 3: 'POST services', 2: 'POST Services/Add' }),
  ...serviceGroups.filter(isOlder).map((type) =>
    call('addService', `Add a ${type} service`, writesOwn, {
      ...{ type, 2: `POST Services/Add${serviceDeclarations[type].title}${serviceSuffix(type)}` },
    }),
  ),
  call('changeService', 'Change a service', writesOwn, {
    ...{ 3: 'PUT services/{service_id}', 2: 'POST Services/Change', differs: GROUP },
  }),
  call('addServiceLabels', 'Add labels to a service', writesOwn, { 2: 'POST Services/CustomLabels/Add' }),
  call('removeServiceLabels', 'Remove labels of a service', writesOwn, { 2: 'POST Services/CustomLabels/Remove' }),
  call('removeService', 'Remove a service', writesOwn, {
    ...{ 3: 'DELETE services/{service_id}', 2: 'POST Services/Remove' },
  }),
];

const agents: readonly CallDeclaration[] = [
  call('listAgents', 'List agents', readsOwn, {
    ...{ 3: 'GET agents', 2: 'POST Agents/List', differs: { 3: `${TARGETS} ${PAGES}`, 2: TARGETS } },
  }),
  call('getAgent', 'Get an agent', readsOwn, {
    ...{ 3: 'GET agents/{agent_id}', 2: 'POST Agents/Get', differs: TARGETS },
  }),
  call('getAgentLogs', 'Get the logs of an agent', readsOwn, {
    ...{ 3: 'GET agents/{agent_id}/logs', 2: 'POST Agents/GetLogs', differs: NO_LOGS },
  }),
  call('addAgent', 'Add an agent', writesOwn, { 3: 'POST agents', differs: DISCARDED }),
  ...addableAgents.filter(isOlder).map((type) =>
    call('addAgent', `Add a ${type}`, writesOwn, {
      ...{ type, 2: `POST Agents/Add${agentDeclaration(type).title}`, differs: DISCARDED },
    }),
  ),
  call('changeAgent', 'Change an agent', writesOwn, {
    ...{ 3: 'PUT agents/{agent_id}', differs: 'Credentials are discarded.' },
  }),
  ...changeableAgents.filter(isOlder).map((type) =>
    call('changeAgent', `Change a ${type}`, writesOwn, {
      ...{ type, 2: `POST Agents/Change${agentDeclaration(type).title}` },
    }),
  ),
  call('removeAgent', 'Remove an agent', writesOwn, { 3: 'DELETE agents/{agent_id}', 2: 'POST Agents/Remove' }),
];

/** The inventory API of both generations. */
export const inventoryRoutes = routesOf('inventory', '/v1/inventory/', [...nodes, ...services, ...agents]);
