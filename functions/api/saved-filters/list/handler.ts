import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { listedFilters, personOf } from '../../../store/saved-filters/saved-filters.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ caller }, { table }) => ({
  body: { saved_filters: await listedFilters(table, personOf(caller())) },
}));
