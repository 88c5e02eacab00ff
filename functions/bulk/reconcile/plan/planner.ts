import { createHash } from 'node:crypto';
import type { CreationContext } from '../../../transitions/creation-context.ts';
import type { Desired } from '../../../domain/bulk/reconcile-request.ts';
import { idOf } from '../../../store/entities/entity.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';
import { computeDiff } from './diff.ts';
import { topologicalGroups } from './topological-groups.ts';
import type { Step } from './step.ts';
import { blockDependants, resolveDependencies } from './dependencies.ts';

export interface ReconcilePlan {
  /** What can be done: a group is one transaction, and comes after all that it waits for. */
  groups: Step[][];
  blocked: Step[];
  /** Objects that are there within the scope. */
  inScope: number;
  unchanged: number;
  /** Objects that are to go, also those that cannot. */
  removals: number;
}

const actions = ['add', 'change', 'remove'] as const;

/**
 * What has to be done so that what is there within a scope becomes what is desired. Pure: it reads and writes nothing, and
 * of what is done, another plan has nothing left.
 */
export function planReconciliation(
  snapshot: ScopeSnapshot,
  desired: Desired,
  creationContext: CreationContext,
): ReconcilePlan {
  const drafts = computeDiff(snapshot, desired, creationContext);
  resolveDependencies(drafts);
  // What is new comes before what it replaces goes, wherever nothing is against it.
  const steps = [...drafts.steps.values()].sort(
    (left, right) => actions.indexOf(left.action) - actions.indexOf(right.action),
  );
  blockDependants(steps);
  const doable = steps.filter(({ blocked }) => blocked === undefined);
  return {
    groups: topologicalGroups(doable, ({ after }) => after),
    blocked: steps.filter(({ blocked }) => blocked !== undefined),
    inScope: drafts.within.length,
    unchanged: drafts.unchanged.size,
    removals: steps.filter(({ action }) => action === 'remove').length,
  };
}

/** Tells a step of one plan from those of others: what is done, and with which state of which object. */
export function fingerprintOf({ action, kind, named, old, changes, blocked }: Step): string {
  const seen = old === undefined ? null : [idOf(old), old.object.revision];
  const text = JSON.stringify([action, kind, named, seen, changes, blocked ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
