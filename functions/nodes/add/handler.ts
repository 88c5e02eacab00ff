import { newNode } from '../../behaviour/node.ts';
import { lambda } from '../../lambda.ts';
import { addObject } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { body, idempotency } = request;
  const { table, clock, newId } = services;
  const now = clock();
  const origin = originOf(request, services);
  const { object } = await addObject(table, { kind: 'node', idempotency, origin }, () => newNode({ newId, now }, body));
  return { body: object, location: `${endpoint.path}/${object.node_id}` };
});
