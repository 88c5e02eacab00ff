import { newRecord } from '../../../domain/fields/record.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { addFilter } from '../../../store/saved-filters/saved-filters.ts';
import { personOf } from '../../../store/saved-filters/stored-filter.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body: addition, caller } = request;
  const writeContext = writeContextOf(request, dependencies);
  const { actor, now } = writeContext;
  const fields = { saved_filter_id: dependencies.newId(), ...addition, created_by: actor, ...newRecord(now) };
  const body = await addFilter(dependencies.table, fields, personOf(caller()), writeContext);
  return { body, location: `${endpoint.path}/${body.saved_filter_id}` };
});
