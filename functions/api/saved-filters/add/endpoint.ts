import { defineEndpoint } from '../../../contract/endpoint.ts';
import { savedFilterAddition, savedFilterSchema } from '../../../domain/records/saved-filter.ts';

export const endpoint = defineEndpoint({
  id: 'addSavedFilter',
  since: '0.2.0',
  folder: 'saved-filters/add',
  tag: 'Saved filters',
  method: 'POST',
  path: '/v1/saved-filters',
  summary: 'Save a filter of a list',
  description: 'A Viewer saves filters for itself. A shared one requires the role Editor.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  accessEvents: ['saved_filter.added'],
  body: savedFilterAddition,
  reply: { status: 201, schema: savedFilterSchema },
  etag: 'revision',
  errors: ['alreadyExists'],
});
