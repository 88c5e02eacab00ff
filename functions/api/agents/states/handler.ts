import { toStatesReply } from '../../../replies/state-history.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { readAgentDay } from '../../../store/heartbeats/agent-day.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params, caller }, { table, clock }) => {
    const day = await readAgentDay(table, { id: params.agent_id, scope: caller().scope, now: clock() });
    return { body: toStatesReply(day) };
  },
);
