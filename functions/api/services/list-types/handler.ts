import { serviceTypes } from '../../../domain/service/types.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { hasType } from '../../../store/lists/pages.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (_request, { table }) => {
  const present = await Promise.all(serviceTypes.map((type) => hasType(table, 'service', type)));
  return { body: { service_types: serviceTypes.filter((_, index) => present[index]) } };
});
