import { lambda } from '../../lambda.ts';
import { addObject } from '../../table/objects.ts';
import { newRecord } from '../../table/record.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ body, idempotency, caller }, { table, clock, newId }) => {
    const now = clock();
    const { scope } = caller();
    const { object } = await addObject(table, { kind: 'service', idempotency, now, scope }, () => ({
      service_id: newId(),
      ...body,
      ...newRecord(now),
    }));
    return { body: object, location: `${endpoint.path}/${object.service_id}` };
  },
);
