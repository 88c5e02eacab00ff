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
    status: z.enum(agentStatuses).check(z.meta({ description: 'What the agent does. `unknown` is never reported.' })),
    listen_port: z.optional(portSchema.check(z.meta({ description: 'The port on which it listens now.' }))),
    version: z.optional(text({ max: 64 }).check(z.meta({ description: 'Its version.' }))),
  })
  .register(z.globalRegistry, { id: 'Reported_agent', description: 'What an agent process says of one agent.' });

/** Each agent may be in a report once, because of two statuses neither is the right one. */
function agentsDiffer<Entries extends readonly { agent_id: string }[]>() {
  return z.check<Entries>(({ value, issues }) => {
    const known = new Set<string>();
    for (const [index, { agent_id: id }] of value.entries()) {
      const params = { reason: 'duplicate' };
      if (known.has(id))
        issues.push({ code: 'custom', input: value, path: [index, 'agent_id'], message: 'Named twice.', params });
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
        z.meta({ description: 'The agents whose status it tells; of others, what was told last stays.' }),
      ),
  })
  .register(z.globalRegistry, { id: 'Agent_report', description: 'What an agent process says of its node.' });

const refusedEntry = z
  .object({
    agent_id: agentId,
    reason: z
      .enum(['not_found', 'impossible_transition'])
      .check(
        z.meta({ description: 'Why: there is no such agent under this process, or no such way from its status.' }),
      ),
    message: z.string().check(z.meta({ description: 'The same in words.' })),
  })
  .register(z.globalRegistry, { id: 'Refused_report', description: 'What was said of an agent and not taken.' });

/** The reply to a report. */
export const takenReport = z
  .object({
    reported_at: z.iso.datetime().check(z.meta({ description: 'When it was taken: the node is live from then.' })),
    stale_at: z.iso.datetime().check(z.meta({ description: 'Report again before this time, or the node is stale.' })),
    taken: z.int().check(z.minimum(0), z.meta({ description: 'Of so many agents what was said is taken.' })),
    refused: z.array(refusedEntry).check(z.meta({ description: 'What was not taken, agent by agent.' })),
  })
  .register(z.globalRegistry, { id: 'Taken_report', description: 'What became of a report.' });
