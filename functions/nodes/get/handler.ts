import { lambda } from '../../lambda.ts';
import { getShown } from '../../table/shown.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, caller }, { table, clock }) => {
  const { node_id: id } = params;
  return { body: await getShown(table, { kind: 'node', id, scope: caller().scope, now: clock() }) };
});
