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
    'From the list only: nothing in the world is stopped. Refused while anything depends on it. ' +
    'With force the agents under a pmm_agent go too; any other agent has no dependants.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({ agent_id: idOf('agent') }),
  query: z.strictObject({ force: queryFlag('Remove what depends on it as well.') }),
  reply: { status: 204 },
  versioned: true,
  errors: ['notFound', 'failedPrecondition'],
});
