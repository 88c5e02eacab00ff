import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { historyOf } from '../../../domain/records/change.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'listAgentHistory',
  folder: 'agents/history',
  tag: 'Agents',
  method: 'GET',
  path: '/v1/agents/{agent_id}/history',
  summary: 'History of an agent',
  scoped: true,
  params: z.strictObject({ agent_id: idOf('agent') }),
  ...historyOf('agent'),
});
