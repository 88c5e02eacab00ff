import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nextPageShape, pageOf, totalShape } from '../../../domain/fields/list-page.ts';
import { namePrefix, pageShape, selectionShape } from '../../../domain/fields/list-query.ts';
import { idSchema, MAX_SHORT_TEXT, storedName } from '../../../domain/fields/common-fields.ts';
import { valueFilter } from '../../../domain/fields/related-labels.ts';
import { serviceSchema, serviceTypeSchema } from '../../../domain/service/schema.ts';

export const endpoint = defineEndpoint({
  id: 'listServices',
  folder: 'services/list',
  tag: 'Services',
  method: 'GET',
  path: '/v1/services',
  summary: 'List services',
  description: 'Sorted by name. A service must match all filters.',
  role: 'Viewer',
  limit: 'unaffected',
  gateway: true,
  access: 'read',
  query: z.strictObject({
    ...pageShape,
    service_type: z.optional(serviceTypeSchema.check(z.meta({ description: 'Only services of this type.' }))),
    name_prefix: namePrefix,
    node_id: z.optional(idSchema.check(z.meta({ description: 'Only services that run on this node.' }))),
    cluster: valueFilter('Only services of this cluster.'),
    environment: valueFilter('Only services of this environment.'),
    group: valueFilter('Only external services of this group.'),
    region: valueFilter('Only services on a node in this region.'),
    az: valueFilter('Only services on a node in this zone.'),
    version: valueFilter('Only services with this version.', MAX_SHORT_TEXT),
    ...selectionShape('service', serviceSchema),
    address: z.optional(storedName.check(z.meta({ description: 'Only services with this address.' }))),
  }),
  reply: { status: 200, schema: z.strictObject({ services: pageOf(serviceSchema), ...nextPageShape, ...totalShape }) },
  errors: ['notFound'],
});
