import { newAgent } from '../../catalogue/agent-state.ts';
import { lambda } from '../../lambda.ts';
import { addObject, placeOf } from '../../table/objects.ts';
import { newRecord } from '../../table/record.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ body, caller }, { table, clock, newId }) => {
  const place = await placeOf(table, body);
  const { object } = await addObject(
    table,
    'agent',
    {
      agent_id: newId(),
      ...newAgent(body, place),
      ...newRecord(clock()),
    },
    caller().scope,
  );
  return { body: object, location: `${endpoint.path}/${object.agent_id}` };
});
