import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nextPageShape } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';
import { removalSchema } from '../../../domain/records/removal.ts';
import { RESTORE_DAYS } from '../../../domain/records/retention.ts';

export const endpoint = defineEndpoint({
  id: 'listRemoved',
  folder: 'removals/list',
  tag: 'Life cycle',
  method: 'GET',
  path: '/v1/removed',
  summary: 'List removals',
  description: `Removals of the last ${RESTORE_DAYS} days that were not restored, newest first.`,
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  query: z.strictObject({ ...pageShape }),
  reply: {
    status: 200,
    schema: z.strictObject({
      removals: z.array(removalSchema).check(z.meta({ description: 'The removals of this page.' })),
      ...nextPageShape,
    }),
  },
  errors: [],
});
