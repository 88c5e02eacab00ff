import { changedAgent } from '../../behaviour/agent.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch } = request;
  const { object } = await changeObject(
    services.table,
    { kind: 'agent', id: params.agent_id, ifMatch, origin: originOf(request, services) },
    (old) => changedAgent(old, body),
  );
  return { body: object };
});
