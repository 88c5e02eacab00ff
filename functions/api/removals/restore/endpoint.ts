import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { removalIdInPath, restoredSchema } from '../../../domain/records/removal.ts';

export const endpoint = defineEndpoint({
  id: 'restoreRemoved',
  folder: 'removals/restore',
  tag: 'Life cycle',
  method: 'POST',
  path: '/v1/removed/{removal_id}/restore',
  summary: 'Restore what was removed',
  description:
    'Brings back everything that one removal took away, with its ids: all or nothing as long as it fits one transaction, ' +
    'beyond that object by object. Refused while a name is taken, or while something that it refers to is gone.',
  role: 'Editor',
  access: 'write',
  params: z.strictObject({ removal_id: removalIdInPath }),
  query: z.strictObject({}),
  reply: { status: 200, schema: restoredSchema },
  errors: ['notFound', 'alreadyExists', 'failedPrecondition'],
});
