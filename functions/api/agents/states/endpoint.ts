import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { agentStatesSchema } from '../../../domain/records/state-history.ts';

export const endpoint = defineEndpoint({
  id: 'getAgentStates',
  folder: 'agents/states',
  tag: 'Agents',
  since: '0.2.0',
  method: 'GET',
  path: '/v1/agents/{agent_id}/states',
  summary: 'States of an agent in the last day',
  description: 'From the reports of its agent process, else from those of its node.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  params: z.strictObject({ agent_id: idOf('agent') }),
  reply: { status: 200, schema: agentStatesSchema },
  errors: ['notFound'],
});
