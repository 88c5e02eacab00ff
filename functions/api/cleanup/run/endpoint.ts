import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { cleanedUp, cleanupRequest } from '../../../domain/records/cleanup.ts';

export const endpoint = defineEndpoint({
  id: 'cleanUp',
  folder: 'cleanup/run',
  tag: 'Life cycle',
  method: 'POST',
  path: '/v1/cleanup',
  summary: 'Remove ephemeral nodes that are gone',
  description:
    'Removes every ephemeral node that has been silent for its remove_after, with what depends on it, or with `dry_run` ' +
    'only says which these are. What reports meanwhile stays. Nothing goes when it would be more than `max_share` percent ' +
    'of the inventory: then it looks as if reports were lost, and not nodes.',
  role: 'Editor',
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: cleanupRequest,
  reply: { status: 200, schema: cleanedUp },
  errors: [],
});
