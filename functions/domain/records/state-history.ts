import * as z from 'zod/mini';
import { time } from '../access/api-key.ts';
import { agentStatuses, computedStatuses } from '../agent/types.ts';
import { states } from '../fields/liveness.ts';
import { openEnum } from '../fields/open-enum.ts';

const share = (description: string) =>
  z.optional(z.number().check(z.minimum(0), z.maximum(1), z.meta({ description: `${description} Rounded down.` })));

const interval = z
  .strictObject({
    state: z.enum(states).check(z.meta({ description: 'State.' })),
    begin: time('Begin.'),
    end: time('End; that of the last one is the time of the reply.'),
  })
  .register(z.globalRegistry, { id: 'State_interval', description: 'A time in one state.' });

const intervalsOf = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.array(schema).check(
    z.meta({
      description: 'The states from the begin to the end, one after the other; empty before the first report.',
    }),
  );

const fields = {
  begin: time('Begin of the history: 24 hours ago, or later if the states before are not known.'),
  end: time('Time of the reply.'),
  intervals: intervalsOf(interval),
};

export const nodeStatesSchema = z
  .strictObject({
    ...fields,
    availability: share('Share of this time in which the node was live. Absent before the first report.'),
  })
  .register(z.globalRegistry, { id: 'Node_states', description: 'The states of a node in the last day.' });

const statusInterval = z
  .extend(interval, {
    status: z.optional(
      openEnum(
        agentStatuses,
        'Reported status; `unknown` while its process is offline. Absent before the first report.',
        computedStatuses,
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Status_interval', description: 'A time in one state.' });

export const agentStatesSchema = z
  .strictObject({
    ...fields,
    intervals: intervalsOf(statusInterval),
    availability: share(
      'Share of this time in which the agent was live and, if it has a status, running. Absent before the first report.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'Agent_states',
    description: 'The states of an agent in the last day, with its statuses.',
  });

export const clusterStatesSchema = z
  .strictObject({
    ...fields,
    availability: share('Share of this time in which at least one service was live. Absent before the first report.'),
    all_live: share('Share of this time in which all services were live. Absent before the first report.'),
  })
  .register(z.globalRegistry, {
    id: 'Cluster_states',
    description: 'The worst state of the services of a cluster in the last day.',
  });
