import * as z from 'zod/mini';
import { invalidRequest } from '../../shared/http/errors.ts';
import { agentAddition, type agentChange } from '../domain/agent/schema.ts';
import { keptFields, newAgent, type Place, statusAfterChange, targetsOrDefault } from '../domain/agent/lifecycle.ts';
import { applyChange, replaced } from '../domain/fields/merge-patch.ts';
import type { CreationContext } from './creation-context.ts';
import { newRecord } from '../domain/fields/record.ts';
import type { Agent } from '../store/entities/entity.ts';
import type { Upsertion } from '../store/inventory/upsert.ts';

const ids = z.array(z.string());
const targetsSchema = z.object({ insights: z.object({ node_ids: ids, service_ids: ids }) });

/** The agent that an add makes in this place. */
export function newAgentAt({ newId, now }: CreationContext, body: z.output<typeof agentAddition>, place: Place) {
  return { agent_id: newId(), ...newAgent(body, place), ...newRecord(now) };
}

/**
 * What a change makes of an agent. A change that clears its targets gives it those that an add without targets would; any
 * other change leaves an agent that lost its targets to a removal without them.
 */
export function changedAgent(old: Agent, body: z.output<typeof agentChange>) {
  const changed = applyChange(agentAddition, old, body, keptFields(old));
  if (body.insights === undefined) return statusAfterChange(changed);
  const { insights } = z.parse(targetsSchema, changed);
  return statusAfterChange({ ...changed, insights: targetsOrDefault(old.agent_type, insights, old) });
}

/**
 * What of an agent that is declared makes its key.
 *
 * @throws ApiError `invalidArgument` for an agent that nothing tells from any other of its type.
 */
export function keyOfDeclared(body: z.output<typeof agentAddition>): z.output<typeof agentAddition> & Place {
  const declared: z.output<typeof agentAddition> & Place = body;
  const { runs_on_node_id: nodeId, pmm_agent_id: pmmAgentId, insights } = declared;
  const targets = insights.node_ids.length + insights.service_ids.length;
  if (nodeId !== undefined || pmmAgentId !== undefined || targets > 0) return declared;
  const message = 'Requires a place or targets: they identify an agent.';
  throw invalidRequest([{ field: 'insights', reason: 'required', message }]);
}

/**
 * What a declaration makes of an agent with the same key. Its targets are the same, if in another order or implied by the
 * type. An agent that lost its targets to a removal gets those that an add without targets would give it.
 */
export function declaredAgent(old: Agent, body: z.output<typeof agentAddition>) {
  const insights = targetsOrDefault(old.agent_type, old.insights, old);
  return statusAfterChange(replaced(old, { ...body, insights }, keptFields(old)));
}

/**
 * How an agent comes to be what is declared.
 *
 * @param place says where it is to run, if it has to be added.
 */
export function agentUpsertion(
  creationContext: CreationContext,
  body: z.output<typeof agentAddition>,
  place: () => Promise<Place>,
): Upsertion<'agent'> {
  return {
    add: async () => newAgentAt(creationContext, body, await place()),
    next: (old) => declaredAgent(old, body),
  };
}
