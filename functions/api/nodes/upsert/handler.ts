import { nodeUpsertion } from '../../../transitions/node.ts';
import { declaredName } from '../../../domain/fields/name-in-path.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { upsertNode } from '../../../store/inventory/upsert.ts';
import { toUpsertReply } from '../../../replies/upsert-reply.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body, ifMatch, ifNoneMatch } = request;
  const { table, newId } = dependencies;
  const declared = { ...body, node_name: declaredName('node_name', params.node_name, body.node_name) };
  const writeContext = writeContextOf(request, dependencies);
  const options = { ifMatch, ifNoneMatch, writeContext };
  const result = await upsertNode(table, declared, options, nodeUpsertion({ newId, now: writeContext.now }, declared));
  return toUpsertReply(result, ({ node_id: id }) => `/v1/nodes/${id}`);
});
