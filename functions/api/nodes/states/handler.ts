import { toStatesReply } from '../../../replies/state-history.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { notFound } from '../../../store/entities/entity.ts';
import { readHeartbeat } from '../../../store/heartbeats/heartbeat.ts';
import { dayOf, timelineOf } from '../../../store/heartbeats/timeline.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ params }, { table, clock }) => {
  const { node_id: id } = params;
  const heartbeat = await readHeartbeat(table, id);
  if (heartbeat === undefined) throw notFound('node', id);
  return { body: toStatesReply(dayOf(timelineOf(heartbeat), clock())) };
});
