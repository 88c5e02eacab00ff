import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { namePrefix, nextPageShape, pageOf, pageShape, selectionShape } from '../../../domain/fields/list-query.ts';
import { filterText, idSchema } from '../../../domain/fields/common-fields.ts';
import { serviceSchema, serviceTypeSchema } from '../../../domain/service/schema.ts';

const filterBy = (description: string) => z.optional(filterText.check(z.meta({ description })));

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
    cluster: filterBy('Only services of this cluster.'),
    environment: filterBy('Only services of this environment.'),
    group: filterBy('Only external services of this group.'),
    ...selectionShape('service', serviceSchema),
  }),
  reply: { status: 200, schema: z.strictObject({ services: pageOf(serviceSchema), ...nextPageShape }) },
  errors: ['notFound'],
});
