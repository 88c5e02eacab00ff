import { newNode } from '../../behaviour/node.ts';
import { lambda } from '../../lambda.ts';
import { addObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ body, idempotency, caller }, { table, clock, newId }) => {
    const now = clock();
    const { scope } = caller();
    const { object } = await addObject(table, { kind: 'node', idempotency, now, scope }, () =>
      newNode({ newId, now }, body),
    );
    return { body: object, location: `${endpoint.path}/${object.node_id}` };
  },
);
