import { lambda } from '../../lambda.ts';
import { addObject } from '../../table/objects.ts';
import { newRecord } from '../../table/record.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ body, caller }, { table, clock, newId }) => {
  const { object } = await addObject(
    table,
    'service',
    { service_id: newId(), ...body, ...newRecord(clock()) },
    caller().scope,
  );
  return { body: object, location: `${endpoint.path}/${object.service_id}` };
});
