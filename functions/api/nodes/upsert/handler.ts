import { nodeUpsertion } from '../../../transitions/node.ts';
import { declaredName } from '../../../domain/fields/name-in-path.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { upsertNode } from '../../../store/inventory/upsert.ts';
import { upserted } from '../../../replies/upsert-reply.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const declared = { ...body, node_name: declaredName('node_name', params.node_name, body.node_name) };
  const options = { ifMatch, ifNoneMatch, origin: originOf(request, services) };
  const result = await upsertNode(table, declared, options, nodeUpsertion({ newId, now: clock() }, declared));
  return upserted(result, ({ node_id: id }) => `/v1/nodes/${id}`);
});
