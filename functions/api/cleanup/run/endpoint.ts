import { defineEndpoint } from '../../../contract/endpoint.ts';
import { cleanedUp, cleanupRequest } from '../../../domain/records/cleanup.ts';

export const endpoint = defineEndpoint({
  id: 'cleanUp',
  folder: 'cleanup/run',
  tag: 'Life cycle',
  method: 'POST',
  path: '/v1/cleanup',
  summary: 'Remove silent ephemeral nodes',
  description:
    'Removes every ephemeral node without a report for its remove_after, and its dependent objects. With `dry_run`, ' +
    'only lists them. A node that reports in the meantime is not removed. If the removals would exceed ' +
    '`max_removals_percent`, nothing is removed, because lost reports are the likely cause. A large ' +
    'inventory takes several requests; the first ones only count.',
  role: 'Editor',
  limit: 'refused',
  access: 'write',
  body: cleanupRequest,
  reply: { status: 200, schema: cleanedUp },
  errors: [],
});
