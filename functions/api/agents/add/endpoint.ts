import { defineEndpoint } from '../../../contract/endpoint.ts';
import { agentAddition, agentSchema } from '../../../domain/agent/schema.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { addContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'addAgent',
  folder: 'agents/add',
  tag: 'Agents',
  path: '/v1/agents',
  summary: 'Add an agent',
  description: 'An agent under a pmm_agent runs on the node of that pmm_agent.',
  scoped: true,
  refused: refusedFields.addAgent,
  errors: ['notFound', 'failedPrecondition'],
  ...addContract(agentAddition, agentSchema),
});
