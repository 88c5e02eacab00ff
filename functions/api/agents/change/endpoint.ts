import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { agentChange, agentSchema } from '../../../domain/agent/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { changeContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'changeAgent',
  folder: 'agents/change',
  tag: 'Agents',
  path: '/v1/agents/{agent_id}',
  summary: 'Change an agent',
  description:
    'JSON Merge Patch: an absent field keeps its value, null clears it. Labels merge by name. Lists of targets are ' +
    'replaced as a whole. Type, id and place cannot change.',
  params: z.strictObject({ agent_id: idOf('agent') }),
  refused: refusedFields.changeAgent,
  errors: ['notFound', 'failedPrecondition'],
  ...changeContract(agentChange, agentSchema),
});
