import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { removalContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'removeService',
  folder: 'services/remove',
  tag: 'Services',
  path: '/v1/services/{service_id}',
  summary: 'Remove a service',
  description:
    'Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With ' +
    'force, also removes the agents that give insight only into it; other agents lose it as a target.',
  params: z.strictObject({ service_id: idOf('service') }),
  ...removalContract(),
});
