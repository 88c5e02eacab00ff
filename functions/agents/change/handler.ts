import { changedAgent } from '../../behaviour/agent.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
import { reportedAlongside } from '../../table/shown.ts';
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
