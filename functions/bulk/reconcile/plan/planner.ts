import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../shared/core/canonical-json.ts';
import type { CreationContext } from '../../../transitions/creation-context.ts';
import type { DesiredState, ReconcileScope } from '../../../domain/bulk/reconcile-request.ts';
import { idOf } from '../../../store/entities/entity.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';
import { computeDiff } from './diff.ts';
import { topologicalGroups } from './topological-groups.ts';
import type { Step } from './step.ts';
import { blockDependants, resolveDependencies } from './dependencies.ts';

export interface ReconcilePlan {
  /** The steps that can be performed. Each group is one transaction, and follows all groups that it depends on. */
  groups: Step[][];
  blocked: Step[];
  /** Number of existing objects inside the scope. */
  inScope: number;
  unchanged: number;
  /** Number of objects to remove, including those that cannot be removed. */
  removals: number;
}

const actions = ['add', 'change', 'remove'] as const;

/**
 * The steps that make the objects inside a scope equal to `desired`. Pure: it reads and writes nothing. After all steps
 * are done, the next plan is empty.
 */
export function planReconciliation(
  snapshot: ScopeSnapshot,
  desired: DesiredState,
  creationContext: CreationContext,
): ReconcilePlan {
  const diff = computeDiff(snapshot, desired, creationContext);
  resolveDependencies(diff);
  // Adds precede changes, and changes precede removals, unless a dependency requires otherwise.
  const steps = [...diff.steps.values()].sort(
    (left, right) => actions.indexOf(left.action) - actions.indexOf(right.action),
  );
  blockDependants(steps);
  const doable = steps.filter(({ blocked }) => blocked === undefined);
  return {
    groups: topologicalGroups(doable, ({ after }) => after),
    blocked: steps.filter(({ blocked }) => blocked !== undefined),
    inScope: diff.within.length,
    unchanged: diff.unchanged.size,
    removals: steps.filter(({ action }) => action === 'remove').length,
  };
}

/** Identifies a step across plans by its action and by the state of its object. */
export function fingerprintOf({ action, kind, named, old, changes, blocked }: Step): string {
  const seen = old === undefined ? null : [idOf(old), old.object.revision];
  const text = JSON.stringify([action, kind, named, seen, changes, blocked ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/**
 * Identifies what a plan does, for any caller and at any time: the scope, the desired objects, and all items with the
 * revisions that they refer to. The order of the objects does not matter.
 */
export function digestOf(
  { scope, desired }: { scope: ReconcileScope; desired: DesiredState },
  { groups, blocked }: ReconcilePlan,
): string {
  const objects = [...desired.nodes, ...desired.services, ...desired.agents].map(canonicalJson);
  const items = [...groups.flat(), ...blocked].map(fingerprintOf);
  const text = canonicalJson([scope, objects.sort(), items.sort()]);
  return createHash('sha256').update(text).digest('base64url');
}
