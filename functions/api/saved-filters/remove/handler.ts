import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { removeFilter } from '../../../store/saved-filters/saved-filters.ts';
import { personOf } from '../../../store/saved-filters/stored-filter.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, ifMatch, caller } = request;
  const target = { id: params.saved_filter_id, ifMatch };
  await removeFilter(dependencies.table, target, personOf(caller()), writeContextOf(request, dependencies));
  return undefined;
});
