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
  summary: 'Declare an agent',
  description:
    'An agent has no name: its key is its type, its place (`pmm_agent_id` or `runs_on_node_id`) and its targets (`insights`, in ' +
    'any order), of which one must be there. Adds the agent if there is none with this key, changes it if it differs, and ' +
    'else leaves it as it is: `outcome` says which. The body is the whole agent: what it leaves out is cleared or set back ' +
    'to its default. Id and status stay. An agent that was added with this key by POST is taken over, the oldest if there ' +
    'are several, which counts as a change. `If-None-Match: *` only adds.',
  role: 'Editor',
  access: 'write',
  scoped: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: agentAddition,
  refused: refusedFields.upsertAgent,
  reply: { status: [200, 201], schema: upsertedAgentSchema },
  versioned: true,
  errors: ['notFound', 'failedPrecondition'],
});
