import type { Example } from '../../shared/openapi/example.ts';
import type * as table from '../api/endpoint-table.ts';
import { agentsExamples } from './examples/agents.ts';
import { bulkExamples } from './examples/bulk.ts';
import { credentialsExamples } from './examples/credentials.ts';
import { discoveryExamples } from './examples/discovery.ts';
import { nodesExamples } from './examples/nodes.ts';
import { recordsExamples } from './examples/records.ts';
import { roleBindingsExamples } from './examples/role-bindings.ts';
import { serverExamples } from './examples/server.ts';
import { savedFiltersExamples } from './examples/saved-filters.ts';
import { silencesExamples } from './examples/silences.ts';
import { servicesExamples } from './examples/services.ts';

/**
 * Successful calls of every endpoint by its id. Together they tell one story, which a test runs against a real server:
 * a database on a host, a database in the cloud, and the agents that monitor them. An endpoint that this type requires and that is
 * absent needs an example in a file of `examples/`.
 */
export const examples: Readonly<Record<keyof typeof table, Readonly<Record<string, Example>>>> = {
  ...serverExamples,
  ...nodesExamples,
  ...servicesExamples,
  ...agentsExamples,
  ...recordsExamples,
  ...discoveryExamples,
  ...bulkExamples,
  ...credentialsExamples,
  ...roleBindingsExamples,
  ...silencesExamples,
  ...savedFiltersExamples,
};
