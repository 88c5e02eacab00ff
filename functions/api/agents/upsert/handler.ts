import { agentUpsertion, keyOfDeclared } from '../../../transitions/agent.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { placeOf } from '../../../store/inventory/entities.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { reportedAlongside } from '../../../store/heartbeats/with-state.ts';
import { upsertAgent } from '../../../store/inventory/upsert.ts';
import { upserted } from '../../../replies/upsert-reply.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const now = clock();
  const { add, next } = agentUpsertion({ newId, now }, body, () => placeOf(table, body));
  const report = reportedAlongside(table, now);
  const options = { ifMatch, ifNoneMatch, origin: originOf(request, services), takeHeartbeat: report.take };
  const { object, outcome } = await upsertAgent(table, keyOfDeclared(body), options, {
    add,
    next: (old) => {
      report.begin({ kind: 'agent', object: old });
      return next(old);
    },
  });
  const shown = outcome === 'added' ? object : await report.end({ kind: 'agent', object });
  return upserted({ object: shown, outcome }, ({ agent_id: id }) => `/v1/agents/${id}`);
});
