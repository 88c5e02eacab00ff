import { agentUpsertion, keyOfDeclared } from '../../behaviour/agent.ts';
import { lambda } from '../../lambda.ts';
import { placeOf } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
import { upsertAgent } from '../../table/upsert.ts';
import { upserted } from '../../upserted.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const options = { ifMatch, ifNoneMatch, origin: originOf(request, services) };
  const upsertion = agentUpsertion({ newId, now: clock() }, body, () => placeOf(table, body));
  const result = await upsertAgent(table, keyOfDeclared(body), options, upsertion);
  return upserted(result, ({ agent_id: id }) => `/v1/agents/${id}`);
});
