import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { removalIdInPath, restoredSchema } from '../../../domain/records/removal.ts';

export const endpoint = defineEndpoint({
  id: 'restoreRemoved',
  folder: 'removals/restore',
  tag: 'Life cycle',
  method: 'POST',
  path: '/v1/removed/{removal_id}/restore',
  summary: 'Restore a removal',
  description:
    'Restores all objects of a removal with their ids: atomically if they fit one transaction, otherwise ' +
    'individually. Refused if a name is taken or a referenced object does not exist.',
  role: 'Editor',
  limit: 'checked',
  access: 'write',
  params: z.strictObject({ removal_id: removalIdInPath }),
  reply: { status: 200, schema: restoredSchema },
  errors: ['notFound', 'alreadyExists', 'failedPrecondition'],
});
