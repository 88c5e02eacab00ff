import type * as z from 'zod/mini';
import { agentAddition, type agentChange } from '../catalogue/agent.ts';
import { keptFields, newAgent, type Place, statusAfterChange } from '../catalogue/agent-state.ts';
import { applyChange, replaced } from '../catalogue/change.ts';
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

/** What a declaration makes of an agent with the same key: its targets are the same, if in another order or without being told. */
export function declaredAgent(old: Agent, body: z.output<typeof agentAddition>) {
  return statusAfterChange(replaced(old, { ...body, insights: old.insights }, keptFields(old)));
}
