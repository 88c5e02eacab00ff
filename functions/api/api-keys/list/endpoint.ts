import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { apiKeySchema, REGISTRAR_PREFIX } from '../../../domain/access/api-key.ts';
import { nextPageShape, pageOf } from '../../../domain/fields/list-page.ts';
import { namePrefix, pageShape, queryFlag } from '../../../domain/fields/list-query.ts';

export const endpoint = defineEndpoint({
  id: 'listApiKeys',
  folder: 'api-keys/list',
  tag: 'API keys',
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'List API keys',
  description: 'Sorted by name. The keys themselves are not returned.',
  role: 'Admin',
  limit: 'checked',
  team: true,
  access: 'read',
  partitions: 'api_keys',
  query: z.strictObject({
    ...pageShape,
    name_prefix: namePrefix,
    include_expired: queryFlag('Include expired keys.'),
    exclude_hosts: queryFlag(`Without keys of hosts, whose names start with \`${REGISTRAR_PREFIX}\`.`),
  }),
  reply: { status: 200, schema: z.strictObject({ api_keys: pageOf(apiKeySchema), ...nextPageShape }) },
  errors: [],
});
