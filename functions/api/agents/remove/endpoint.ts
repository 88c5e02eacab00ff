import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { queryFlag } from '../../../domain/fields/list-query.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'removeAgent',
  folder: 'agents/remove',
  tag: 'Agents',
  method: 'DELETE',
  path: '/v1/agents/{agent_id}',
  summary: 'Remove an agent',
  description:
    'Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With ' +
    'force, also removes the agents under a pmm_agent; other agents have no dependents.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({ agent_id: idOf('agent') }),
  query: z.strictObject({ force: queryFlag('Also remove the dependent objects.') }),
  reply: { status: 204 },
  etag: 'revision',
  errors: ['notFound', 'failedPrecondition'],
});
