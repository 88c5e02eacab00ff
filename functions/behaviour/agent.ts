import type * as z from 'zod/mini';
import { invalidRequest } from '../../shared/http/errors.ts';
import { agentAddition, type agentChange } from '../catalogue/agent.ts';
import { keptFields, newAgent, type Place, statusAfterChange } from '../catalogue/agent-state.ts';
import { applyChange, replaced } from '../catalogue/change.ts';
import type { Making } from './making.ts';
import { newRecord } from '../table/record.ts';
import type { Agent } from '../table/stored.ts';
import type { Upsertion } from '../table/upsert.ts';

/** The agent that an add makes in this place. */
export function newAgentAt({ newId, now }: Making, body: z.output<typeof agentAddition>, place: Place) {
  return { agent_id: newId(), ...newAgent(body, place), ...newRecord(now) };
}

/** What a change makes of an agent. */
export function changedAgent(old: Agent, body: z.output<typeof agentChange>) {
  return statusAfterChange(applyChange(agentAddition, old, body, keptFields(old)));
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
  const message = 'An agent is known by its place or its targets: say one of them.';
  throw invalidRequest([{ field: 'insights', reason: 'required', message }]);
}

/** What a declaration makes of an agent with the same key: its targets are the same, if in another order or without being told. */
export function declaredAgent(old: Agent, body: z.output<typeof agentAddition>) {
  return statusAfterChange(replaced(old, { ...body, insights: old.insights }, keptFields(old)));
}

/**
 * How an agent comes to be what is declared.
 *
 * @param place says where it is to run, if it has to be added.
 */
export function agentUpsertion(
  making: Making,
  body: z.output<typeof agentAddition>,
  place: () => Promise<Place>,
): Upsertion<'agent'> {
  return {
    add: async () => newAgentAt(making, body, await place()),
    next: (old) => declaredAgent(old, body),
  };
}
