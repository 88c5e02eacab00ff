import * as z from 'zod/mini';
import { invalidRequest } from '../../shared/core/errors.ts';
import { agentAddition, type agentChange, agentOrStored } from '../domain/agent/schema.ts';
import {
  keptFields,
  newAgent,
  type AgentPlace,
  statusAfterChange,
  targetsOrDefault,
} from '../domain/agent/lifecycle.ts';
import { applyChange, replaced } from '../domain/fields/merge-patch.ts';
import { checkNewValues } from '../domain/fields/stored-values.ts';
import type { CreationContext } from './creation-context.ts';
import { newRecord } from '../domain/fields/record.ts';
import type { Agent } from '../store/entities/entity.ts';
import type { Upsertion } from '../store/inventory/upsert.ts';

const ids = z.array(z.string());
const targetsSchema = z.object({ insights: z.object({ node_ids: ids, service_ids: ids }) });

export function newAgentAt({ newId, now }: CreationContext, body: z.output<typeof agentAddition>, place: AgentPlace) {
  return { agent_id: newId(), ...newAgent(body, place), ...newRecord(now) };
}

/**
 * The changed agent. A change that clears its targets sets those that an add without targets would set. Any other
 * change leaves the targets as they are, even if a removal of other objects has cleared them.
 */
export function changedAgent(old: Agent, body: z.output<typeof agentChange>) {
  const changed = applyChange(agentOrStored, old, body, keptFields(old));
  if (body.insights === undefined) return statusAfterChange(changed);
  const { insights } = z.parse(targetsSchema, changed);
  return statusAfterChange({ ...changed, insights: targetsOrDefault(old.agent_type, insights, old) });
}

/**
 * The fields of a declared agent that make its natural key.
 *
 * @throws ApiError `invalidArgument` for an agent without place and targets: nothing identifies it among those of its
 *   type.
 */
export function keyOfDeclared(body: z.output<typeof agentAddition>): z.output<typeof agentAddition> & AgentPlace {
  const declared: z.output<typeof agentAddition> & AgentPlace = body;
  const { runs_on_node_id: nodeId, pmm_agent_id: pmmAgentId, insights } = declared;
  const targets = insights.node_ids.length + insights.service_ids.length;
  if (nodeId !== undefined || pmmAgentId !== undefined || targets > 0) return declared;
  const message = 'Requires a place or targets: they identify an agent.';
  throw invalidRequest([{ field: 'insights', reason: 'required', message }]);
}

/**
 * The new state of a declared agent. Its targets are equal, possibly in another order or implied by the type. If a
 * removal has cleared its targets, it gets those that an add without targets would set.
 */
export function declaredAgent(old: Agent, body: z.output<typeof agentAddition>) {
  const insights = targetsOrDefault(old.agent_type, old.insights, old);
  return statusAfterChange(replaced(old, { ...body, insights }, keptFields(old)));
}

/**
 * How a declared agent is added or changed.
 *
 * @param place the place of the agent; called only if it must be added.
 */
export function agentUpsertion(
  creationContext: CreationContext,
  body: z.output<typeof agentAddition>,
  place: () => Promise<AgentPlace>,
): Upsertion<'agent'> {
  return {
    add: async () => {
      checkNewValues(agentAddition, body);
      return newAgentAt(creationContext, body, await place());
    },
    next: (old) => {
      checkNewValues(agentAddition, body, old);
      return declaredAgent(old, body);
    },
  };
}
