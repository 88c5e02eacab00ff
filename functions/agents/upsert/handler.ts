import { invalidRequest } from '../../../shared/http/errors.ts';
import { keptFields, newAgent, type Place, statusAfterChange } from '../../catalogue/agent-state.ts';
import { replaced } from '../../catalogue/change.ts';
import { lambda } from '../../lambda.ts';
import { placeOf } from '../../table/objects.ts';
import { originOf } from '../../table/origin.ts';
import { newRecord } from '../../table/record.ts';
import { shownAlongside } from '../../table/shown.ts';
import { upsertAgent } from '../../table/upsert.ts';
import { upserted } from '../../upserted.ts';
import { endpoint } from './endpoint.ts';

/** @throws ApiError `invalidArgument` for an agent that nothing tells from any other of its type. */
function checkKey({ runs_on_node_id: nodeId, pmm_agent_id: pmmAgentId }: Place, targets: number): void {
  if (nodeId !== undefined || pmmAgentId !== undefined || targets > 0) return;
  const message = 'An agent is known by its place or its targets: say one of them.';
  throw invalidRequest([{ field: 'insights', reason: 'required', message }]);
}

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const now = clock();
  const declared: typeof body & Place = body;
  checkKey(declared, body.insights.node_ids.length + body.insights.service_ids.length);
  const state = shownAlongside(table, now);
  const result = await upsertAgent(
    table,
    declared,
    { ifMatch, ifNoneMatch, origin: originOf(request, services) },
    {
      add: async () => ({ agent_id: newId(), ...newAgent(body, await placeOf(table, body)), ...newRecord(now) }),
      // With the same key it has the same targets, if in another order or without being told.
      next: (old) => {
        state.begin({ kind: 'agent', object: old });
        return statusAfterChange(replaced(old, { ...body, insights: old.insights }, keptFields(old)));
      },
    },
  );
  const { object, outcome } = result;
  const shown = outcome === 'added' ? object : await state.end({ kind: 'agent', object });
  return upserted({ object: shown, outcome }, ({ agent_id: id }) => `/v1/agents/${id}`);
});
