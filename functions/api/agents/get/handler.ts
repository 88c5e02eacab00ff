import { lambda } from '../../../runtime/endpoint-function.ts';
import { getShown } from '../../../store/heartbeats/with-state.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, caller }, { table, clock }) => {
  const { agent_id: id } = params;
  return { body: await getShown(table, { kind: 'agent', id, scope: caller().scope, now: clock() }) };
});
