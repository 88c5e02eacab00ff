import { ApiError } from '../../../../shared/core/errors.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { newDependentsCounter, refusalOf } from '../../../store/inventory/dependents-counter.ts';
import {
  claimsOf,
  type DerivedItem,
  derivedItemChanges,
  derivedItemsOf,
} from '../../../store/entities/derived-items.ts';
import type { Entity } from '../../../store/entities/entity.ts';
import { label, namedOf, type Situation, type Step, blockedByReason } from './step.ts';

function stored({ there: snapshot, steps }: Situation, kind: ObjectKind, id: string): Entity | undefined {
  const next = steps.get(id)?.next;
  if (next !== undefined) return next;
  const [node, service, agent] = [snapshot.nodes.get(id), snapshot.services.get(id), snapshot.agents.get(id)];
  if (kind === 'node') return node === undefined ? undefined : { kind, object: node };
  if (kind === 'service') return service === undefined ? undefined : { kind, object: service };
  return agent === undefined ? undefined : { kind, object: agent };
}

function addedItemsOf({ old, next }: Step): readonly DerivedItem[] {
  if (next === undefined) return [];
  return old === undefined ? derivedItemsOf(next) : derivedItemChanges(old, next).toPut;
}

/** The objects that the step begins to refer to must exist before, and must accept the dependency. */
function waitForTargets(situation: Situation, step: Step): void {
  for (const { dependency } of addedItemsOf(step)) {
    if (dependency === undefined) continue;
    const target = situation.steps.get(dependency.id);
    if (target?.action === 'add') step.after.add(target);
    const referred = stored(situation, dependency.kind, dependency.id);
    const refusal = referred === undefined ? undefined : refusalOf(dependency, newDependentsCounter(referred));
    if (refusal instanceof ApiError) step.blocked ??= refusal.message;
  }
}

const isClaimedBy = (entity: Entity, partition: string) => claimsOf(entity).some(({ pk }) => pk === partition);

/** The claims that the step takes must be free before: the step that gives a claim up precedes it. */
function waitForClaims(situation: Situation, step: Step, takers: Map<string, Step>): void {
  for (const { key, taken } of addedItemsOf(step)) {
    if (taken === undefined) continue;
    const owner = situation.there.owners.get(key.pk);
    const holder = owner === undefined ? undefined : situation.steps.get(owner);
    const isGivenUp = holder?.action === 'remove' || (holder?.next !== undefined && !isClaimedBy(holder.next, key.pk));
    if (takers.has(key.pk) || (owner !== undefined && owner !== step.id && !isGivenUp))
      step.blocked ??= taken().message;
    takers.set(key.pk, step);
    if (holder !== undefined && holder !== step) step.after.add(holder);
  }
}

/** All dependants must have been removed, or must have given up their reference, before the object is removed. */
function waitForDependants(situation: Situation, step: Step): void {
  const { there: snapshot, steps } = situation;
  const { services = [], agents = [] } = snapshot.dependants.get(step.id) ?? {};
  const under =
    step.kind === 'agent' ? [...snapshot.agents.values()].filter((agent) => agent.pmm_agent_id === step.id) : [];
  const keepers = [
    ...services.map((id) => ['service', id] as const),
    ...[...agents, ...under.map(({ agent_id: id }) => id)].map((id) => ['agent', id] as const),
  ];
  for (const [kind, id] of keepers) {
    const keeper = stored(situation, kind, id);
    const before = steps.get(id);
    if (before !== undefined) step.after.add(before);
    // A dependant that was not found has been removed since the collection was read.
    else if (keeper !== undefined)
      step.blocked ??= `${label(kind, namedOf(situation, keeper))} outside the scope depends on it.`;
  }
}

export function resolveDependencies(situation: Situation): void {
  const takers = new Map<string, Step>();
  for (const step of situation.steps.values()) {
    if (step.action === 'remove') waitForDependants(situation, step);
    else {
      waitForTargets(situation, step);
      waitForClaims(situation, step, takers);
    }
  }
}

/** A step that depends on a blocked step is blocked as well. */
export function blockDependants(steps: readonly Step[]): void {
  const waiting = new Map<Step, Step[]>();
  for (const step of steps)
    for (const before of step.after) waiting.set(before, [...(waiting.get(before) ?? []), step]);
  const queue = steps.filter(({ blocked }) => blocked !== undefined);
  for (let blockedStep = queue.shift(); blockedStep !== undefined; blockedStep = queue.shift())
    for (const step of waiting.get(blockedStep) ?? []) {
      if (step.blocked !== undefined) continue;
      step.blocked = blockedByReason(label(blockedStep.kind, blockedStep.named));
      queue.push(step);
    }
}
