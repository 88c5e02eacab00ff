import * as z from 'zod/mini';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { namePrefix, nextPageShape, pageShape } from '../../catalogue/list.ts';
import { facetText, idSchema } from '../../catalogue/object-fields.ts';
import { serviceSchema, serviceTypeSchema } from '../../catalogue/service.ts';

export const endpoint = defineEndpoint({
  id: 'listServices',
  folder: 'services/list',
  tag: 'Services',
  method: 'GET',
  path: '/v1/services',
  summary: 'List services',
  description: 'Sorted by name. Filters add up: a service has to match all of them.',
  role: 'Viewer',
  access: 'read',
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageShape,
    service_type: z.optional(serviceTypeSchema),
    name_prefix: namePrefix,
    node_id: z.optional(idSchema.check(z.meta({ description: 'Runs on this node.' }))),
    cluster: z.optional(facetText),
    environment: z.optional(facetText),
    group: z.optional(facetText),
  }),
  reply: { status: 200, schema: z.strictObject({ services: z.array(serviceSchema), ...nextPageShape }) },
  errors: ['notFound'],
});
