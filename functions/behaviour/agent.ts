import type * as z from 'zod/mini';
import { agentAddition, type agentChange } from '../catalogue/agent.ts';
import { keptFields, newAgent, type Place, statusAfterChange } from '../catalogue/agent-state.ts';
import { applyChange } from '../catalogue/change.ts';
import type { Making } from './making.ts';
import { newRecord } from '../table/record.ts';
import type { Agent } from '../table/stored.ts';

/** The agent that an add makes in this place. */
export function newAgentAt({ newId, now }: Making, body: z.output<typeof agentAddition>, place: Place) {
  return { agent_id: newId(), ...newAgent(body, place), ...newRecord(now) };
}

/** What a change makes of an agent. */
export function changedAgent(old: Agent, body: z.output<typeof agentChange>) {
  return statusAfterChange(applyChange(agentAddition, old, body, keptFields(old)));
}
