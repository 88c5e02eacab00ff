import { defineEndpoint } from '../../../contract/endpoint.ts';
import { agentOrStored, upsertedAgentSchema } from '../../../domain/agent/schema.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { upsertContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'upsertAgent',
  folder: 'agents/upsert',
  tag: 'Agents',
  path: '/v1/agents/by-key',
  summary: 'Upsert an agent',
  description:
    'The natural key of an agent is its type, its place (`pmm_agent_id` or `runs_on_node_id`) and its targets ' +
    '(`insights`, in any order); place or targets are required. Adds the agent if no agent has this key, changes it ' +
    'if it differs, and otherwise does nothing; `outcome` says which. The body is the whole agent: an absent field ' +
    'is cleared or set to its default. Id and status do not change. If POST added several agents with this key, the ' +
    'oldest is used; its first upsert counts as a change. `If-None-Match: *` only adds.',
  refused: refusedFields.upsertAgent,
  errors: ['notFound', 'failedPrecondition'],
  ...upsertContract(agentOrStored, upsertedAgentSchema),
});
