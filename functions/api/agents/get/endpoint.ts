import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { agentSchema } from '../../../domain/agent/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { getContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'getAgent',
  folder: 'agents/get',
  tag: 'Agents',
  path: '/v1/agents/{agent_id}',
  summary: 'Get an agent',
  params: z.strictObject({ agent_id: idOf('agent') }),
  ...getContract(agentSchema),
});
