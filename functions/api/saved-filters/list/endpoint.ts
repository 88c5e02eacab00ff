import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { MAX_OWN_FILTERS, MAX_COMMON_FILTERS, savedFilterSchema } from '../../../domain/records/saved-filter.ts';

export const endpoint = defineEndpoint({
  id: 'listSavedFilters',
  since: '0.2.0',
  folder: 'saved-filters/list',
  tag: 'Saved filters',
  method: 'GET',
  path: '/v1/saved-filters',
  summary: 'List saved filters',
  description: `The shared ones, at most ${MAX_COMMON_FILTERS}, and those of the caller, at most ${MAX_OWN_FILTERS}, sorted by name.`,
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  reply: {
    status: 200,
    schema: z.strictObject({
      saved_filters: z.array(savedFilterSchema).check(z.meta({ description: 'The saved filters.' })),
    }),
  },
  errors: [],
});
