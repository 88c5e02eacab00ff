import { changedAgent } from '../../../transitions/agent.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { changeObject } from '../../../store/inventory/entities.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { reportedAlongside } from '../../../store/heartbeats/with-state.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch } = request;
  const { table, clock } = services;
  const report = reportedAlongside(table, clock());
  const changed = await changeObject(
    table,
    { kind: 'agent', id: params.agent_id, ifMatch, origin: originOf(request, services) },
    (old) => {
      // Where it runs never changes.
      report.begin({ kind: 'agent', object: old });
      return changedAgent(old, body);
    },
  );
  return { body: await report.end(changed) };
});
