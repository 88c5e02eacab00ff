import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { agentAddition, agentSchema } from '../../../domain/agent/schema.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';

export const endpoint = defineEndpoint({
  id: 'addAgent',
  folder: 'agents/add',
  tag: 'Agents',
  method: 'POST',
  path: '/v1/agents',
  summary: 'Add an agent',
  description: 'An agent under a pmm_agent runs on the node of that pmm_agent.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: agentAddition,
  refused: refusedFields.addAgent,
  reply: { status: 201, schema: agentSchema },
  etag: 'revision',
  idempotent: true,
  errors: ['notFound', 'failedPrecondition'],
});
