import { agentUpsertion, keyOfDeclared } from '../../behaviour/agent.ts';
import { lambda } from '../../lambda.ts';
import { placeOf } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
import { reportedAlongside } from '../../table/shown.ts';
import { upsertAgent } from '../../table/upsert.ts';
import { upserted } from '../../upserted.ts';
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
