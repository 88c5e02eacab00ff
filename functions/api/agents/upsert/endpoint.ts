import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { agentAddition, upsertedAgentSchema } from '../../../domain/agent/schema.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';

export const endpoint = defineEndpoint({
  id: 'upsertAgent',
  folder: 'agents/upsert',
  tag: 'Agents',
  method: 'PUT',
  path: '/v1/agents/by-key',
  summary: 'Upsert an agent',
  description:
    'The natural key of an agent is its type, its place (`pmm_agent_id` or `runs_on_node_id`) and its targets ' +
    '(`insights`, in any order); place or targets are required. Adds the agent if no agent has this key, changes it ' +
    'if it differs, and otherwise does nothing; `outcome` says which. The body is the whole agent: an absent field ' +
    'is cleared or set to its default. Id and status do not change. If POST added several agents with this key, the ' +
    'oldest is used; its first upsert counts as a change. `If-None-Match: *` only adds.',
  role: 'Editor',
  access: 'write',
  scoped: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: agentAddition,
  refused: refusedFields.upsertAgent,
  reply: { status: [200, 201], schema: upsertedAgentSchema },
  etag: 'revision',
  errors: ['notFound', 'failedPrecondition'],
});
