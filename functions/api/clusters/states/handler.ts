import { toStatesReply } from '../../../replies/state-history.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { readClusterDay } from '../../../store/lists/cluster-day.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ params }, { table, clock }) => {
  const { worst, allLive } = await readClusterDay(table, params.cluster, clock());
  return { body: { ...toStatesReply(worst), ...(allLive === undefined ? {} : { all_live: allLive }) } };
});
