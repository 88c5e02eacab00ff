import { newAgentAt } from '../../../transitions/agent.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { addObject, placeOf } from '../../../store/inventory/entities.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { body, idempotency } = request;
  const { table, clock, newId } = services;
  const now = clock();
  const origin = originOf(request, services);
  const { object } = await addObject(table, { kind: 'agent', idempotency, origin }, async () =>
    newAgentAt({ newId, now }, body, await placeOf(table, body)),
  );
  return { body: object, location: `${endpoint.path}/${object.agent_id}` };
});
