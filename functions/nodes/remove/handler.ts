import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { removeObject } from '../../table/removal.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, query, ifMatch } = request;
  await removeObject(services.table, 'node', params.node_id, {
    ...query,
    ifMatch,
    origin: originOf(request, services),
  });
  return undefined;
});
