import { defineEndpoint } from '../../../contract/endpoint.ts';
import { savedFilterInPath } from '../../../domain/records/saved-filter.ts';

export const endpoint = defineEndpoint({
  id: 'removeSavedFilter',
  since: '0.2.0',
  folder: 'saved-filters/remove',
  tag: 'Saved filters',
  method: 'DELETE',
  path: '/v1/saved-filters/{saved_filter_id}',
  summary: 'Remove a saved filter',
  description: 'A shared filter is removed by its maker, who needs the role Editor, or by an Admin.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  accessEvents: ['saved_filter.removed'],
  params: savedFilterInPath,
  reply: { status: 204 },
  etag: 'revision',
  errors: ['notFound'],
});
