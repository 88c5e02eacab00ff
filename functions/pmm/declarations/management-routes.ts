import { managedServices } from './management.ts';
import type { Route } from './route.ts';

type Call = Omit<Route, 'generation' | 'facade'>;

const reads = { role: 'Viewer' } as const;
const writes = { role: 'Editor' } as const;
const writesOwn = { role: 'Editor', isScoped: true } as const;

const path = (rest: string) => `/v1/management/${rest}`;

const registration = {
  ...writesOwn,
  operation: 'registerNode',
  native: ['addNode', 'addAgent'],
  summary: 'Register a host',
  differs:
    'A node that is registered again keeps its id, its services and its agents; PMM removes them. The token is empty, so the ' +
    'host keeps its credentials. Without a usable address, the address is the name of the node or the source of the request.',
} as const;

const service = {
  ...writesOwn,
  operation: 'addManagedService',
  native: ['addService', 'addAgent'],
  differs: 'Credentials are discarded; connection checks are skipped.',
} as const;

const removal = {
  ...writesOwn,
  operation: 'removeManagedService',
  native: ['removeService'],
  summary: 'Remove a service by its id or its name',
} as const;

const unregistration = {
  ...writesOwn,
  operation: 'unregisterNode',
  native: ['removeNode'],
  summary: 'Remove the node of a host',
} as const;

const annotation = {
  ...writes,
  operation: 'addAnnotation',
  native: ['listAudit'],
  summary: 'Add an annotation',
  differs: 'An annotation is an entry of the audit, with at most 64 tags, 64 services and 4 KB.',
} as const;

const nodeList = {
  ...reads,
  operation: 'listUniversalNodes',
  native: ['listNodes'],
  summary: 'List nodes with their services and agents',
} as const;

const nodeRead = {
  ...reads,
  isScoped: true,
  operation: 'getUniversalNode',
  native: ['getNode'],
  summary: 'Get a node with its services and agents',
} as const;

const serviceList = {
  ...reads,
  operation: 'listUniversalServices',
  native: ['listServices'],
  summary: 'List services with their agents',
} as const;

const agentList = {
  ...reads,
  operation: 'listUniversalAgents',
  native: ['listAgents'],
  summary: 'List the agents of a service or a node',
} as const;

/** Calls that belong to parts of PMM outside the inventory. */
const outside = (method: Route['method'], rest: string, summary: string): Call => ({
  ...{ method, path: path(rest), operation: 'unimplemented', native: [], ...reads, summary },
});

const versions = 'Agents do not report the version of their process, and there are no updates.';

const third: readonly Call[] = [
  { method: 'POST', path: path('nodes'), ...registration },
  { method: 'GET', path: path('nodes'), ...nodeList },
  { method: 'GET', path: path('nodes/{node_id}'), ...nodeRead },
  { method: 'DELETE', path: path('nodes/{node_id}'), ...unregistration },
  { method: 'POST', path: path('services'), ...service, summary: 'Add a service with its agents' },
  { method: 'GET', path: path('services'), ...serviceList },
  { method: 'DELETE', path: path('services/{service_id}'), ...removal },
  { method: 'GET', path: path('agents'), ...agentList },
  {
    method: 'GET',
    path: path('agents/versions'),
    operation: 'listAgentVersions',
    native: ['listAgents'],
    ...reads,
    summary: 'List versions of agents',
    differs: versions,
  },
  { method: 'POST', path: path('annotations'), ...annotation },
  outside('POST', 'services:discoverRDS', 'Discover databases of Amazon RDS'),
  outside('POST', 'services:discoverAzure', 'Discover databases of Azure'),
  outside('POST', 'services/azure', 'Add a database of Azure'),
];

const second: readonly Call[] = [
  { method: 'POST', path: path('Node/Register'), ...registration },
  { method: 'POST', path: path('Node/Unregister'), ...unregistration },
  { method: 'POST', path: path('Node/List'), ...nodeList },
  { method: 'POST', path: path('Node/Get'), ...nodeRead },
  { method: 'POST', path: path('Service/List'), ...serviceList },
  { method: 'POST', path: path('Agent/List'), ...agentList },
  ...[...managedServices.filter(({ key }) => key !== 'valkey'), { key: 'rds', title: 'RDS' }].map(
    ({ key: type, title }): Call => ({
      method: 'POST',
      path: path(`${title}/Add`),
      ...service,
      type,
      summary: `Add a ${title} service with its agents`,
    }),
  ),
  { method: 'POST', path: path('Service/Remove'), ...removal },
  { method: 'POST', path: path('Annotations/Add'), ...annotation },
  outside('POST', 'RDS/Discover', 'Discover databases of Amazon RDS'),
  outside('POST', 'azure/AzureDatabase/Discover', 'Discover databases of Azure'),
  outside('POST', 'azure/AzureDatabase/Add', 'Add a database of Azure'),
];

/** The management API of both generations, as far as it concerns the inventory. */
export const managementRoutes: readonly Route[] = [
  ...third.map((call) => ({ ...call, generation: 3, facade: 'management' }) as const),
  ...second.map((call) => ({ ...call, generation: 2, facade: 'management' }) as const),
];
