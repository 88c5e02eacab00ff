import { defineEndpoint } from '../../../contract/endpoint.ts';
import { savedFilterChange, savedFilterInPath, savedFilterSchema } from '../../../domain/records/saved-filter.ts';

export const endpoint = defineEndpoint({
  id: 'changeSavedFilter',
  since: '0.2.0',
  folder: 'saved-filters/change',
  tag: 'Saved filters',
  method: 'PATCH',
  path: '/v1/saved-filters/{saved_filter_id}',
  summary: 'Change or pin a saved filter',
  description:
    'An absent field keeps its value. `pinned` concerns the caller alone, and is no change of the filter: everybody pins ' +
    'shared filters. Else a shared filter is changed by its maker, who needs the role Editor, or by an Admin.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  accessEvents: ['saved_filter.changed'],
  params: savedFilterInPath,
  body: savedFilterChange,
  reply: { status: 200, schema: savedFilterSchema },
  etag: 'revision',
  errors: ['notFound', 'alreadyExists'],
});
