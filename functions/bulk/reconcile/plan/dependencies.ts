import { ApiError } from '../../../../shared/http/errors.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { newGuardOf, refusalOf } from '../../../store/inventory/dependency-counters.ts';
import { claimsOf, type Link, linkChanges, linksOf } from '../../../store/entities/links.ts';
import type { Stored } from '../../../store/entities/entity.ts';
import { label, namedOf, type Situation, type Step, waitingFor } from './step.ts';

function stored({ there, steps }: Situation, kind: ObjectKind, id: string): Stored | undefined {
  const next = steps.get(id)?.next;
  if (next !== undefined) return next;
  const [node, service, agent] = [there.nodes.get(id), there.services.get(id), there.agents.get(id)];
  if (kind === 'node') return node === undefined ? undefined : { kind, object: node };
  if (kind === 'service') return service === undefined ? undefined : { kind, object: service };
  return agent === undefined ? undefined : { kind, object: agent };
}

function comeOf({ old, next }: Step): Link[] {
  if (next === undefined) return [];
  return old === undefined ? linksOf(next) : linkChanges(old, next).come;
}

/** What it comes to refer to is there before, and takes it. */
function waitForTargets(situation: Situation, step: Step): void {
  for (const { dependency } of comeOf(step)) {
    if (dependency === undefined) continue;
    const target = situation.steps.get(dependency.id);
    if (target?.action === 'add') step.after.add(target);
    const found = stored(situation, dependency.kind, dependency.id);
    const refusal = found === undefined ? undefined : refusalOf(dependency, newGuardOf(found));
    if (refusal instanceof ApiError) step.blocked ??= refusal.message;
  }
}

const isClaimedBy = (found: Stored, partition: string) => claimsOf(found).some(({ pk }) => pk === partition);

/** What is to be unique is free before: whoever has it gives it up. */
function waitForClaims(situation: Situation, step: Step, takers: Map<string, Step>): void {
  for (const { key, taken } of comeOf(step)) {
    if (taken === undefined) continue;
    const owner = situation.there.owners.get(key.pk);
    const holder = owner === undefined ? undefined : situation.steps.get(owner);
    const isGivenUp = holder?.action === 'remove' || (holder?.next !== undefined && !isClaimedBy(holder.next, key.pk));
    if (takers.has(key.pk) || (owner !== undefined && owner !== step.id && !isGivenUp)) step.blocked ??= taken.message;
    takers.set(key.pk, step);
    if (holder !== undefined && holder !== step) step.after.add(holder);
  }
}

/** All that depends on it has gone or has let go of it. */
function waitForDependants(situation: Situation, step: Step): void {
  const { there, steps } = situation;
  const { services = [], agents = [] } = there.dependants.get(step.id) ?? {};
  const under = step.kind === 'agent' ? [...there.agents.values()].filter((one) => one.pmm_agent_id === step.id) : [];
  const keepers = [
    ...services.map((id) => ['service', id] as const),
    ...[...agents, ...under.map(({ agent_id: id }) => id)].map((id) => ['agent', id] as const),
  ];
  for (const [kind, id] of keepers) {
    const found = stored(situation, kind, id);
    const before = steps.get(id);
    if (before !== undefined) step.after.add(before);
    // What was not found has gone meanwhile.
    else if (found !== undefined)
      step.blocked ??= `${label(kind, namedOf(situation, found))}, outside of the scope, depends on it.`;
  }
}

export function waitForAll(situation: Situation): void {
  const takers = new Map<string, Step>();
  for (const step of situation.steps.values()) {
    if (step.action === 'remove') waitForDependants(situation, step);
    else {
      waitForTargets(situation, step);
      waitForClaims(situation, step, takers);
    }
  }
}

/** Whatever waits for what cannot be done cannot be done either. */
export function spreadBlocks(steps: readonly Step[]): void {
  const waiting = new Map<Step, Step[]>();
  for (const step of steps)
    for (const before of step.after) waiting.set(before, [...(waiting.get(before) ?? []), step]);
  const queue = steps.filter(({ blocked }) => blocked !== undefined);
  for (let one = queue.shift(); one !== undefined; one = queue.shift())
    for (const step of waiting.get(one) ?? []) {
      if (step.blocked !== undefined) continue;
      step.blocked = waitingFor(label(one.kind, one.named));
      queue.push(step);
    }
}
