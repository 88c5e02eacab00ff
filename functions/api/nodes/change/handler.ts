import { changedNode } from '../../../transitions/node.ts';
import { objectJson } from '../../../replies/object-json.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { changeObject } from '../../../store/inventory/entities.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body, ifMatch } = request;
  const { object } = await changeObject(
    dependencies.table,
    { kind: 'node', id: params.node_id, ifMatch, writeContext: writeContextOf(request, dependencies) },
    (old) => changedNode(old, body),
  );
  return { body: objectJson(object) };
});
