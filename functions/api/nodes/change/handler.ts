import { changedNode } from '../../../transitions/node.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { changeObject } from '../../../store/inventory/entities.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch } = request;
  const { object } = await changeObject(
    services.table,
    { kind: 'node', id: params.node_id, ifMatch, origin: originOf(request, services) },
    (old) => changedNode(old, body),
  );
  return { body: object };
});
