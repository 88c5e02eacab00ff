import { newAgentAt } from '../../behaviour/agent.ts';
import { lambda } from '../../lambda.ts';
import { addObject, placeOf } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ body, idempotency, caller }, { table, clock, newId }) => {
    const now = clock();
    const { scope } = caller();
    const { object } = await addObject(table, { kind: 'agent', idempotency, now, scope }, async () =>
      newAgentAt({ newId, now }, body, await placeOf(table, body)),
    );
    return { body: object, location: `${endpoint.path}/${object.agent_id}` };
  },
);
