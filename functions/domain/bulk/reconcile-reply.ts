import * as z from 'zod/mini';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { agentTypes } from '../agent/types.ts';
import { objectKind } from '../fields/object-kind.ts';

const named = (description: string) => z.string().check(z.meta({ description }));
const names = (description: string) => z.array(z.string()).check(z.meta({ description }));

const insights = lazily(() =>
  z
    .strictObject({
      node_names: names('Names of the nodes that it gives insight into.'),
      service_names: names('Names of the services that it gives insight into.'),
    })
    .register(z.globalRegistry, { id: 'Insights_by_name', description: 'Targets of an agent, by name.' }),
);

/** An action and its object: by its name, or for an agent by the parts of its natural key. */
export const itemShape = lazily(() => ({
  action: z.enum(['add', 'change', 'remove']).check(z.meta({ description: 'Action on the object.' })),
  kind: objectKind,
  node_name: z.optional(named('Name of the node.')),
  service_name: z.optional(named('Name of the service.')),
  agent_type: z.optional(z.enum(agentTypes).check(z.meta({ description: 'Type of the agent.' }))),
  runs_on_node_name: z.optional(named('Name of the node that the agent runs on.')),
  insights: z.optional(insights()),
  id: z.optional(named('Its id; for an object to add, after it was added.')),
  revision: z.optional(z.int().check(z.meta({ description: 'The revision that the plan refers to.' }))),
}));

export const progressShape = lazily(() => ({
  state: z.enum(['planned', 'applying', 'done', 'stopped', 'cancelled']).check(
    z.meta({
      description:
        'planned: no changes were made yet. applying: changes are being made. done: no changes remain, except failed and blocked ones. stopped: changes remain; `reason` of the plan says why. cancelled: the plan was cancelled and no more changes are started.',
    }),
  ),
  progress: z
    .strictObject({
      total: z.int().check(z.meta({ description: 'Objects to add, change and remove that are not blocked.' })),
      done: z.int().check(z.meta({ description: 'Completed items.' })),
      failed: z.int().check(z.meta({ description: 'Refused items.' })),
      skipped: z
        .int()
        .check(z.meta({ description: 'Removals that were no longer needed, as far as one request observed.' })),
    })
    .register(z.globalRegistry, { id: 'Reconcile_progress', description: 'Progress of a plan.' }),
}));

const count = (description: string) => z.int().check(z.meta({ description }));

const itemSchema = lazily(() =>
  z
    .strictObject({
      ...itemShape(),
      changes: z.optional(
        z
          .array(
            z
              .strictObject({
                field: z
                  .string()
                  .check(z.meta({ description: 'Name of the field; for a label, `custom_labels.` and its name.' })),
                from: z.optional(z.unknown().check(z.meta({ description: 'Current value; absent if not set.' }))),
                to: z.optional(
                  z.unknown().check(z.meta({ description: 'Desired value; absent if the field is to be cleared.' })),
                ),
              })
              .register(z.globalRegistry, { id: 'Difference', description: 'A field to change.' }),
          )
          .check(z.meta({ description: 'Differences of a change, by field.' })),
      ),
      blocked: z.optional(z.string().check(z.meta({ description: 'Why the item is not possible and not tried.' }))),
      outcome: z.optional(
        z.enum(['done', 'failed', 'skipped', 'not_done']).check(
          z.meta({
            description:
              'failed: the service refuses it. skipped: the object left the scope, or another request removed it. not_done: no time was left, the table did not answer, or it changed in the meantime; it is tried again.',
          }),
        ),
      ),
      error: z.optional(errorSchema),
      skipped: z.optional(z.string().check(z.meta({ description: 'Why a removal was skipped.' }))),
    })
    .register(z.globalRegistry, { id: 'Reconcile_item', description: 'Action on one object.' }),
);

function replySchema() {
  return z
    .strictObject({
      plan_id: z.optional(
        z.string().check(z.meta({ description: 'Use it to apply or resume the plan. Absent when no changes remain.' })),
      ),
      plan_digest: z.optional(
        z.string().check(
          z.meta({
            description: 'Identifies the scope, the desired objects and all items. Absent in replies to apply.',
          }),
        ),
      ),
      expires_at: z.optional(z.iso.datetime().check(z.meta({ description: 'When the plan expires (RFC 3339, UTC).' }))),
      ...progressShape(),
      in_scope: count('Objects in the scope.'),
      add: count('Objects to add.'),
      change: count('Objects to change.'),
      remove: count('Objects to remove.'),
      unchanged: count('Objects that already match.'),
      blocked: count('Items that are not possible.'),
      refusal: z.optional(
        z.string().check(z.meta({ description: 'Why the plan is not applied. No changes are made.' })),
      ),
      items: z.array(itemSchema()).check(z.meta({ description: 'Items in a possible order; blocked ones are last.' })),
      items_left_out: z.optional(count('Number of items omitted because the reply would be too large.')),
    })
    .register(z.globalRegistry, { id: 'Reconcile_plan', description: 'Plan or result of a reconciliation.' });
}

/** The reply of the endpoint: the plan and its outcome. */
export const reconcileReply = /* @__PURE__ */ z.lazy(replySchema);
