import * as z from 'zod/mini';
import { agentTypes } from './agent-types.ts';

const named = (description: string) => z.string().check(z.meta({ description }));
const names = (description: string) => z.array(z.string()).check(z.meta({ description }));

const insights = z
  .strictObject({
    node_names: names('Names of the nodes that it gives insight into.'),
    service_names: names('Names of the services that it gives insight into.'),
  })
  .register(z.globalRegistry, { id: 'Insights_by_name', description: 'What an agent gives insight into.' });

/** What is to be done with which object: its own name, or what an agent is known by. */
export const itemShape = {
  action: z.enum(['add', 'change', 'remove']).check(z.meta({ description: 'What is to be done with it.' })),
  kind: z.enum(['node', 'service', 'agent']).check(z.meta({ description: 'What it is.' })),
  node_name: z.optional(named('Name of the node.')),
  service_name: z.optional(named('Name of the service.')),
  agent_type: z.optional(z.enum(agentTypes).check(z.meta({ description: 'Type of the agent.' }))),
  runs_on_node_name: z.optional(named('Name of the node that the agent runs on.')),
  insights: z.optional(insights),
  id: z.optional(named('Its id; of an object to be added once it is.')),
  revision: z.optional(z.int().check(z.meta({ description: 'The revision that the plan is about.' }))),
};

export const progressShape = {
  state: z.enum(['planned', 'applying', 'done', 'stopped', 'cancelled']).check(
    z.meta({
      description:
        'planned: nothing is done yet. applying: something is left, and is being done. done: nothing is left but what failed or is blocked. stopped: something is left, and why it is not done the `reason` of the plan says. cancelled: it was cancelled, and nothing more is begun.',
    }),
  ),
  progress: z
    .strictObject({
      total: z.int().check(z.meta({ description: 'Objects to add, change and remove that are not blocked.' })),
      done: z.int().check(z.meta({ description: 'How many of them are done.' })),
      failed: z.int().check(z.meta({ description: 'How many of them the inventory forbids.' })),
      skipped: z
        .int()
        .check(z.meta({ description: 'How many removals were not needed any more, as far as one request saw it.' })),
    })
    .register(z.globalRegistry, { id: 'Reconcile_progress', description: 'How far it is.' }),
};
