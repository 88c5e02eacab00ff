import { agentUpsertion, keyOfDeclared } from '../../../transitions/agent.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { placeOf } from '../../../store/inventory/entities.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { reportedAlongside } from '../../../store/heartbeats/with-state.ts';
import { upsertAgent } from '../../../store/inventory/upsert.ts';
import { toUpsertReply } from '../../../replies/upsert-reply.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body, ifMatch, ifNoneMatch } = request;
  const { table, newId } = dependencies;
  const writeContext = writeContextOf(request, dependencies);
  const { now } = writeContext;
  const { add, next } = agentUpsertion({ newId, now }, body, () => placeOf(table, body));
  const report = reportedAlongside(table, now);
  const options = { ifMatch, ifNoneMatch, writeContext, takeHeartbeat: report.take };
  const { stored, outcome } = await upsertAgent(table, keyOfDeclared(body), options, {
    add,
    next: (old) => {
      report.begin({ kind: 'agent', object: old });
      return next(old);
    },
  });
  const object = outcome === 'added' ? stored.object : await report.end(stored);
  return toUpsertReply({ stored: { object }, outcome }, ({ agent_id: id }) => `/v1/agents/${id}`);
});
