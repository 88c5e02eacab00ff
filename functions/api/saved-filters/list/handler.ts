import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listedFilters } from '../../../store/saved-filters/saved-filters.ts';
import { personOf } from '../../../store/saved-filters/stored-filter.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ caller }, { table }) => ({
  body: { saved_filters: await listedFilters(table, personOf(caller())) },
}));
