import { managedServices } from './management.ts';
import { access, call, type CallDeclaration, routesOf } from './route.ts';

const { reads, readsOwn, writes, writesOwn } = access;

const REGISTRATION =
  'A node that is registered again keeps its id, its services and its agents; PMM removes them. The token is empty, so the ' +
  'host keeps its credentials. Without a usable address, the address is the name of the node or the source of the request.';
const DISCARDED = 'Credentials are discarded; connection checks are skipped.';
const ANNOTATION = 'An annotation is an entry of the audit, with at most 64 tags, 64 services and 4 KB.';
const VERSIONS = 'Agents do not report the version of their process, and there are no updates.';

/** Calls that belong to parts of PMM outside the inventory. */
const outside = (summary: string, places: Pick<CallDeclaration, 2 | 3>) =>
  call('unimplemented', summary, reads, places);

const older = [...managedServices.filter(({ key }) => key !== 'valkey'), { key: 'rds', title: 'RDS' }];

const calls: readonly CallDeclaration[] = [
  call('registerNode', 'Register a host', writesOwn, {
    ...{ 3: 'POST nodes', 2: 'POST Node/Register', differs: REGISTRATION },
  }),
  call('listUniversalNodes', 'List nodes with their services and agents', reads, {
    ...{ 3: 'GET nodes', 2: 'POST Node/List' },
  }),
  call('getUniversalNode', 'Get a node with its services and agents', readsOwn, {
    ...{ 3: 'GET nodes/{node_id}', 2: 'POST Node/Get' },
  }),
  call('unregisterNode', 'Remove the node of a host', writesOwn, {
    ...{ 3: 'DELETE nodes/{node_id}', 2: 'POST Node/Unregister' },
  }),
  call('addManagedService', 'Add a service with its agents', writesOwn, { 3: 'POST services', differs: DISCARDED }),
  ...older.map(({ key: type, title }) =>
    call('addManagedService', `Add a ${title} service with its agents`, writesOwn, {
      ...{ type, 2: `POST ${title}/Add`, differs: DISCARDED },
    }),
  ),
  call('listUniversalServices', 'List services with their agents', reads, {
    ...{ 3: 'GET services', 2: 'POST Service/List' },
  }),
  call('removeManagedService', 'Remove a service by its id or its name', writesOwn, {
    ...{ 3: 'DELETE services/{service_id}', 2: 'POST Service/Remove' },
  }),
  call('listUniversalAgents', 'List the agents of a service or a node', reads, {
    ...{ 3: 'GET agents', 2: 'POST Agent/List' },
  }),
  call('listAgentVersions', 'List versions of agents', reads, { 3: 'GET agents/versions', differs: VERSIONS }),
  call('addAnnotation', 'Add an annotation', writes, {
    ...{ 3: 'POST annotations', 2: 'POST Annotations/Add', differs: ANNOTATION },
  }),
  outside('Discover databases of Amazon RDS', { 3: 'POST services:discoverRDS', 2: 'POST RDS/Discover' }),
  outside('Discover databases of Azure', { 3: 'POST services:discoverAzure', 2: 'POST azure/AzureDatabase/Discover' }),
  outside('Add a database of Azure', { 3: 'POST services/azure', 2: 'POST azure/AzureDatabase/Add' }),
];

/** The management API of both generations, as far as it concerns the inventory. */
export const managementRoutes = routesOf('management', '/v1/management/', calls);
