import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { MAX_SHORT_TEXT } from '../../../domain/fields/common-fields.ts';
import { shownStatuses } from '../../../domain/agent/types.ts';
import { statusPeriodFilter } from '../../../domain/agent/status-period.ts';
import { agentSchema, agentTypeSchema } from '../../../domain/agent/schema.ts';
import { valueFilter } from '../../../domain/fields/related-labels.ts';
import { nextPageShape, pageOf, totalShape } from '../../../domain/fields/list-page.ts';
import { atMostOneOf, idList, pageShape, selectionShape, wordList } from '../../../domain/fields/list-query.ts';

const relation = (description: string) => z.optional(idList(description));

export const endpoint = defineEndpoint({
  id: 'listAgents',
  folder: 'agents/list',
  tag: 'Agents',
  method: 'GET',
  path: '/v1/agents',
  summary: 'List agents',
  description:
    'Sorted by type, then id. At most one of the four relations is allowed. With several ids of a relation, those without ' +
    'an object match nothing.',
  role: 'Viewer',
  limit: 'unaffected',
  gateway: true,
  access: 'read',
  query: z
    .strictObject({
      ...pageShape,
      agent_type: z.optional(agentTypeSchema.check(z.meta({ description: 'Only agents of this type.' }))),
      runs_on_node_id: relation('Only agents that run on this node.'),
      pmm_agent_id: relation('Only agents under this pmm_agent.'),
      node_id: relation('Only agents that give insight into this node.'),
      service_id: relation('Only agents that give insight into this service.'),
      status: z.optional(wordList(shownStatuses, 'Only agents with one of these reported statuses')),
      status_for: statusPeriodFilter(),
      region: valueFilter('Only agents on a node in this region; of those on no node, with such a node as target.'),
      az: valueFilter('Only agents on a node in this zone; of those on no node, with such a node as target.'),
      cluster: valueFilter('Only agents with a service of this cluster as target.'),
      environment: valueFilter('Only agents with a service of this environment as target.'),
      version: valueFilter('Only agents that report this version.', MAX_SHORT_TEXT),
      ...selectionShape('agent', agentSchema),
    })
    .check(atMostOneOf('pmm_agent_id', 'node_id', 'service_id', 'runs_on_node_id')),
  reply: { status: 200, schema: z.strictObject({ agents: pageOf(agentSchema), ...nextPageShape, ...totalShape }) },
  errors: ['notFound'],
});
