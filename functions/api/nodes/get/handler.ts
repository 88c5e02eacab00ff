import { PreparedJson } from '../../../../shared/http/prepared-json.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { getReply } from '../../../store/heartbeats/with-state.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params, caller }, { table, clock }) => {
    const { node_id: id } = params;
    const { json, revision } = await getReply(table, { kind: 'node', id, scope: caller().scope, now: clock() });
    return { body: new PreparedJson(json, revision) };
  },
);
