import * as z from 'zod/mini';
import { text } from '../../../shared/http/text.ts';
import { agentStatuses } from './types.ts';
import { idSchema } from '../fields/common-fields.ts';
import { portSchema } from '../fields/port.ts';

/** The most agents in one report: far more than run on one node, and far fewer than fit into a heartbeat. */
const MAX_AGENTS = 200;

const agentId = idSchema.check(z.meta({ description: 'An agent under this agent process.' }));

const entry = z
  .strictObject({
    agent_id: agentId,
    status: z.enum(agentStatuses).check(z.meta({ description: 'Status of the agent; not `unknown`.' })),
    listen_port: z.optional(portSchema.check(z.meta({ description: 'Its current port.' }))),
    version: z.optional(text({ max: 64 }).check(z.meta({ description: 'Its version.' }))),
  })
  .register(z.globalRegistry, { id: 'Reported_agent', description: 'Status of one agent.' });

/** Each agent may be in a report once, because of two statuses neither is the right one. */
function agentsDiffer<Entries extends readonly { agent_id: string }[]>() {
  return z.check<Entries>(({ value, issues }) => {
    const known = new Set<string>();
    for (const [index, { agent_id: id }] of value.entries()) {
      const params = { reason: 'duplicate' };
      if (known.has(id))
        issues.push({ code: 'custom', input: value, path: [index, 'agent_id'], message: 'Duplicate agent.', params });
      known.add(id);
    }
  });
}

/** Body of a report. */
export const agentReport = z
  .strictObject({
    agents: z
      .array(entry)
      .check(
        z.maxLength(MAX_AGENTS),
        agentsDiffer(),
        z.meta({ description: 'Agents with a new status. Other agents keep their status.' }),
      ),
  })
  .register(z.globalRegistry, { id: 'Agent_report', description: 'Report of an agent process.' });

const refusedEntry = z
  .object({
    agent_id: agentId,
    reason: z
      .enum(['not_found', 'impossible_transition'])
      .check(
        z.meta({ description: 'Why: this process has no such agent, or the status cannot follow the current one.' }),
      ),
    message: z.string().check(z.meta({ description: 'The reason as text.' })),
  })
  .register(z.globalRegistry, { id: 'Refused_report', description: 'A refused status.' });

/** The reply to a report. */
export const takenReport = z
  .object({
    reported_at: z.iso.datetime().check(z.meta({ description: 'Time of the report. The node is live from then.' })),
    stale_at: z.iso
      .datetime()
      .check(z.meta({ description: 'Time of the next report at the latest; then the node is stale.' })),
    taken: z.int().check(z.minimum(0), z.meta({ description: 'Number of agents with an accepted status.' })),
    refused: z.array(refusedEntry).check(z.meta({ description: 'The refused statuses.' })),
  })
  .register(z.globalRegistry, { id: 'Taken_report', description: 'Result of a report.' });
