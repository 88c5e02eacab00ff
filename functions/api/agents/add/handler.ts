import { newAgentAt } from '../../../transitions/agent.ts';
import { objectJson } from '../../../replies/object-json.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { addObject, placeOf } from '../../../store/inventory/entities.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body, idempotency } = request;
  const { table, newId } = dependencies;
  const writeContext = writeContextOf(request, dependencies);
  const { object } = await addObject(table, { kind: 'agent', idempotency, writeContext }, async () =>
    newAgentAt({ newId, now: writeContext.now }, body, await placeOf(table, body)),
  );
  return { body: objectJson(object), location: `${endpoint.path}/${object.agent_id}` };
});
