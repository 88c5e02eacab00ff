import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { removeUserAndFilters } from '../../../store/saved-filters/saved-filters.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  await removeUserAndFilters(dependencies.table, request.params.user_id, writeContextOf(request, dependencies));
  return undefined;
});
