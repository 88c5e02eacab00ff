import * as z from 'zod/mini';
import { described, time } from '../access/api-key.ts';
import { states } from '../fields/liveness.ts';
import { objectKind, objectKinds } from '../fields/object-kind.ts';
import { changeSchema } from './change.ts';
import { jobSchema } from './jobs.ts';

/** How long a summary is kept, in seconds. */
export const SUMMARY_SECONDS = 60;

/** The oldest summary that a caller can accept, in seconds. */
export const MAX_SUMMARY_AGE = 600;

/** Keys and tokens that expire within this time need attention, in days. */
export const EXPIRY_DAYS = 14;

/** Regions, or environments, with the most objects that are counted apart; the others are `other`. */
export const MAX_COUNTED_VALUES = 20;

/** Different zones of regions that are counted; nodes in further ones are in the region `other`. */
export const MAX_COUNTED_ZONES = 100;

export const MAX_COUNTED_CLUSTERS = 5000;

/** The most examples of each finding. */
export const MAX_EXAMPLES = 5;

/** The labels by whose values the objects of a finding are counted. */
export const placeLabels = ['region', 'cluster'] as const;

export type PlaceLabel = (typeof placeLabels)[number];

/** Values of each label that a finding names, those with the most objects. */
export const MAX_PLACES = 3;

export const LATEST_CHANGES = 10;

/** The length of the history of changes, in hours. */
export const CHANGE_HOURS = 24;

/** The points of time at which the states of nodes are counted: from a day ago to now. */
export const STATE_POINTS = 97;

/** The time between two points. */
export const STATE_STEP_SECONDS = 900;

/** Nodes that have not reported so long after they were added need attention, in minutes. */
export const UNSEEN_MINUTES = 60;

/** The reasons for which an object needs attention, the worst first. */
export const attentionReasons = [
  'no_live_member',
  'offline',
  'stale',
  'never_seen',
  'waiting',
  'not_running',
  'not_collected',
  'connected_twice',
  'removal_interrupted',
  'reconciliation_failed',
  'cleanup_stopped',
  'expires_soon',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];

/** The numbers of a summary that can be incomplete. */
export const countedParts = ['objects', 'clusters', 'changes'] as const;

export type CountedPart = (typeof countedParts)[number];

export const attentionKinds = [
  ...objectKinds,
  'cluster',
  'reconciliation',
  'cleanup',
  'api_key',
  'enrolment_token',
] as const;

/** Findings about these kinds are for an Admin. */
export const credentialKinds: readonly (typeof attentionKinds)[number][] = ['api_key', 'enrolment_token'];

const number = (description: string) => z.int().check(z.minimum(0), z.meta({ description }));

const tally = z
  .strictObject({
    total: number('Number of objects.'),
    by_state: z.partialRecord(z.enum(states), z.int()).check(z.meta({ description: 'Number in each state.' })),
    by_type: z.record(z.string(), z.int()).check(z.meta({ description: 'Number of each type.' })),
  })
  .register(z.globalRegistry, { id: 'Tally', description: 'Counts of one kind.' });

const objectTally = z
  .extend(tally, { silenced: number('Number of silenced objects, which are in no finding.') })
  .register(z.globalRegistry, { id: 'Object_tally', description: 'Counts of one kind of objects.' });

const clusterTally = z
  .extend(tally, { without_live_member: number('Clusters without a live service.') })
  .register(z.globalRegistry, { id: 'Cluster_tally', description: 'Counts of clusters.' });

const zone = z.strictObject({
  region: described('Region.'),
  az: z.optional(described('Zone.')),
  by_state: z.partialRecord(z.enum(states), z.int()).check(z.meta({ description: 'Number in each state.' })),
});

const counts = (state: string) =>
  z.array(z.int()).check(z.meta({ description: `Number of ${state} nodes at each point.` }));

const nodeStates = z
  .strictObject({
    begin: time('The first point.'),
    step_seconds: number('Time between two points.'),
    live: counts('live'),
    stale: counts('stale'),
    offline: counts('offline'),
  })
  .register(z.globalRegistry, {
    id: 'Node_states_of_day',
    description: `Numbers of nodes by state at ${STATE_POINTS} points of the last day.`,
  });

const attention = z
  .strictObject({
    reason: z.enum(attentionReasons).check(
      z.meta({
        description:
          'no_live_member: a cluster without a live service. never_seen: for ' +
          `${UNSEEN_MINUTES} minutes. ` +
          'not_running: enabled, but reported as starting, stopping or done. not_collected: pushes metrics on a node ' +
          'without vm_agent. connected_twice: two hosts have its id. removal_interrupted: a forced ' +
          `removal has not finished. expires_soon: within ${EXPIRY_DAYS} days.`,
      }),
    ),
    kind: z.enum(attentionKinds).check(z.meta({ description: 'Kind of the objects.' })),
    count: number('Number of objects.'),
    examples: z
      .array(
        z.strictObject({
          id: described('Its id.'),
          name: z.optional(described('Its name; of an agent its type, and its node if there are `places`.')),
        }),
      )
      .check(z.meta({ description: 'Some of them.' })),
    places: z
      .optional(
        z.array(
          z.strictObject({
            label: z.enum(placeLabels).check(z.meta({ description: 'Label.' })),
            value: described('Its value.'),
            count: number('Number of these objects that have it.'),
          }),
        ),
      )
      .check(
        z.meta({
          description:
            `Regions and clusters with most of them, ${MAX_PLACES} of each at most; an agent has those of its ` +
            'node and services. Absent if not all were located.',
        }),
      ),
    list: z.optional(described('Path of their list.')),
  })
  .register(z.globalRegistry, { id: 'Attention', description: 'Objects that need attention for one reason.' });

export const summarySchema = z
  .strictObject({
    computed_at: time('When the summary was computed.'),
    age_seconds: number('Its age.'),
    complete: z.boolean().check(
      z.meta({
        description: 'False until the first count has ended, or if a limit was met.',
      }),
    ),
    incomplete: z.array(z.enum(countedParts)).check(
      z.meta({
        description:
          'Numbers that are not complete: objects of the first count, changes that following requests count, clusters ' +
          `above ${MAX_COUNTED_CLUSTERS}.`,
      }),
    ),
    counted_at: time('When the count of the objects ended; of an incomplete one, when it began.'),
    nodes: objectTally,
    services: objectTally,
    agents: objectTally,
    clusters: clusterTally.check(
      z.meta({
        description: 'A cluster has the worst state of its services, and is counted with each of their types.',
      }),
    ),
    zones: z.array(zone).check(z.meta({ description: 'Nodes that have a region.' })),
    node_states: z.optional(nodeStates).check(
      z.meta({
        description:
          'States of the present nodes in the last day, each from the time on from which they are known. Absent until ' +
          'the first count after an upgrade has ended.',
      }),
    ),
    attention: z
      .array(attention)
      .check(z.meta({ description: 'What needs attention; keys and tokens only for an Admin.' })),
    jobs: z.array(jobSchema).check(
      z.meta({
        description: 'Jobs of the service, and forced removals and reconciliations that have not ended well.',
      }),
    ),
    changes: z
      .array(
        z.strictObject({
          hour: time('Begin of the hour.'),
          kind: objectKind,
          action: changeSchema.shape.action,
          count: number('Number of changes.'),
        }),
      )
      .check(z.meta({ description: `Changes of the last ${CHANGE_HOURS} hours, by hour. Numbers of 0 are absent.` })),
    latest: z
      .array(changeSchema)
      .check(z.meta({ description: 'The latest changes, newest first, without `before` and `after`.' })),
  })
  .register(z.globalRegistry, { id: 'Summary', description: 'Totals, findings and recent changes.' });
