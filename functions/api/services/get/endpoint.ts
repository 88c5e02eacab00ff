import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { serviceSchema } from '../../../domain/service/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { getContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'getService',
  folder: 'services/get',
  tag: 'Services',
  path: '/v1/services/{service_id}',
  summary: 'Get a service',
  params: z.strictObject({ service_id: idOf('service') }),
  ...getContract(serviceSchema),
});
