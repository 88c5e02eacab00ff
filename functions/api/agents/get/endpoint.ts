import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { agentSchema } from '../../../domain/agent/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'getAgent',
  folder: 'agents/get',
  tag: 'Agents',
  method: 'GET',
  path: '/v1/agents/{agent_id}',
  summary: 'Get an agent',
  role: 'Viewer',
  scoped: true,
  access: 'read',
  params: z.strictObject({ agent_id: idOf('agent') }),
  query: z.strictObject({}),
  reply: { status: 200, schema: agentSchema },
  etag: 'revision',
  errors: ['notFound'],
});
