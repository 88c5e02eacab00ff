import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { removalContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'removeAgent',
  folder: 'agents/remove',
  tag: 'Agents',
  path: '/v1/agents/{agent_id}',
  summary: 'Remove an agent',
  description:
    'Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With ' +
    'force, also removes the agents under a pmm_agent; other agents have no dependents.',
  params: z.strictObject({ agent_id: idOf('agent') }),
  ...removalContract(),
});
