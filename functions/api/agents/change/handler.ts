import { changedAgent } from '../../../transitions/agent.ts';
import { objectJson } from '../../../replies/object-json.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { changeObject } from '../../../store/inventory/entities.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { reportedAlongside } from '../../../store/heartbeats/with-state.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params, body, ifMatch } = request;
  const { table } = dependencies;
  const writeContext = writeContextOf(request, dependencies);
  const report = reportedAlongside(table, writeContext.now);
  const changed = await changeObject(table, { kind: 'agent', id: params.agent_id, ifMatch, writeContext }, (old) => {
    // The node of an agent never changes, so its heartbeat can be read before the write.
    report.begin({ kind: 'agent', object: old });
    return changedAgent(old, body);
  });
  return { body: objectJson(await report.end(changed)) };
});
