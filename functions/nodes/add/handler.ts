import { lambda } from '../../lambda.ts';
import { newRecord } from '../../table/record.ts';
import { addObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ body, idempotency, caller }, { table, clock, newId }) => {
    const now = clock();
    const { scope } = caller();
    const { object } = await addObject(table, { kind: 'node', idempotency, now, scope }, () => ({
      node_id: newId(),
      ...body,
      ...newRecord(now),
    }));
    return { body: object, location: `${endpoint.path}/${object.node_id}` };
  },
);
