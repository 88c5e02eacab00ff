import * as z from 'zod/mini';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { agentTypes } from '../agent/types.ts';

const named = (description: string) => z.string().check(z.meta({ description }));
const names = (description: string) => z.array(z.string()).check(z.meta({ description }));

const insights = z
  .strictObject({
    node_names: names('Names of the nodes that it gives insight into.'),
    service_names: names('Names of the services that it gives insight into.'),
  })
  .register(z.globalRegistry, { id: 'Insights_by_name', description: 'What an agent gives insight into.' });

/** An action and its object: by its name, or for an agent by the parts of its natural key. */
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

const count = (description: string) => z.int().check(z.meta({ description }));

const itemSchema = z
  .strictObject({
    ...itemShape,
    changes: z.optional(
      z
        .array(
          z
            .strictObject({
              field: z
                .string()
                .check(z.meta({ description: 'Name of the field; a label is `custom_labels.` and its name.' })),
              from: z.optional(z.unknown().check(z.meta({ description: 'As it is; absent when it is not set.' }))),
              to: z.optional(z.unknown().check(z.meta({ description: 'As it is to be; absent when it goes.' }))),
            })
            .register(z.globalRegistry, { id: 'Difference', description: 'A field that changes.' }),
        )
        .check(z.meta({ description: 'Of a change: what differs, field by field.' })),
    ),
    blocked: z.optional(z.string().check(z.meta({ description: 'Why this cannot be done, and will not be tried.' }))),
    outcome: z.optional(
      z.enum(['done', 'failed', 'skipped', 'not_done']).check(
        z.meta({
          description:
            'What became of it. failed: the inventory forbids it. skipped: the object left the scope, or another request removed it, before this one removed it. not_done: there was no time, the table did not answer, or it changed meanwhile; it will be tried again.',
        }),
      ),
    ),
    error: z.optional(errorSchema),
    skipped: z.optional(z.string().check(z.meta({ description: 'Why a removal was skipped.' }))),
  })
  .register(z.globalRegistry, { id: 'Reconcile_item', description: 'What is to be done with one object.' });

/** The reply of the endpoint: the plan and its outcome. */
export const reconcileReply = z
  .strictObject({
    plan_id: z.optional(
      z
        .string()
        .check(z.meta({ description: 'To apply the plan or to go on with it. Absent when nothing is left to do.' })),
    ),
    expires_at: z.optional(
      z.iso.datetime().check(z.meta({ description: 'How long the plan is kept (RFC 3339, UTC).' })),
    ),
    ...progressShape,
    in_scope: count('Objects that were in the scope.'),
    add: count('Objects to add.'),
    change: count('Objects to change.'),
    remove: count('Objects to remove.'),
    unchanged: count('Objects that are as desired.'),
    blocked: count('How many of them cannot be added, changed or removed.'),
    refusal: z.optional(
      z.string().check(z.meta({ description: 'Why this plan will not be applied. Nothing would be done.' })),
    ),
    items: z
      .array(itemSchema)
      .check(z.meta({ description: 'What is to be done, in a possible order; what is blocked comes last.' })),
    items_left_out: z.optional(count('So many items would have made the reply too large.')),
  })
  .register(z.globalRegistry, { id: 'Reconcile_plan', description: 'What is to be done, or was done.' });
