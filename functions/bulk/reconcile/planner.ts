import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { declaredAgent, newAgentAt } from '../../behaviour/agent.ts';
import type { Making } from '../../behaviour/making.ts';
import { declaredNode, newNode } from '../../behaviour/node.ts';
import { declaredService, newService } from '../../behaviour/service.ts';
import type { Place } from '../../catalogue/agent-state.ts';
import { type AgentType, agentTypeEntry } from '../../catalogue/agent-types.ts';
import type { Desired, DesiredAgent, DesiredNode, DesiredService } from '../../catalogue/reconcile.ts';
import { agentKey, agentKeys } from '../../table/agent-key.ts';
import type { ObjectKind } from '../../table/keys.ts';
import { linkChanges, newGuardOf, refusalOf } from '../../table/plan.ts';
import {
  type Agent,
  claimsOf,
  idOf,
  type Link,
  linksOf,
  type Node,
  nouns,
  type Service,
  type Stored,
  toStored,
  withoutMark,
} from '../../table/stored.ts';
import type { Surroundings } from '../../table/surroundings.ts';
import { type Difference, differences } from './differences.ts';
import { inGroups } from './in-groups.ts';

/** An object by what clients know it by. */
export interface Named {
  node_name?: string;
  service_name?: string;
  agent_type?: AgentType;
  runs_on_node_name?: string;
  insights?: { node_names: string[]; service_names: string[] };
}

export interface Step {
  action: 'add' | 'change' | 'remove';
  kind: ObjectKind;
  id: string;
  named: Named;
  /** The object as it was read. */
  old?: Stored;
  /** The object as it is to be. */
  next?: Stored;
  changes: Difference[];
  /** Why it cannot be done. */
  blocked?: string;
  /** What has to be done before. */
  after: Set<Step>;
}

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

/** An object that is referred to: there or to be added; or why it cannot be referred to. */
type Reference = { id: string } | { blocked: string };

interface Context {
  there: Surroundings;
  making: Making;
  steps: Map<string, Step>;
  /** Objects of desired, by name. */
  nodes: Map<string, Reference>;
  services: Map<string, Reference>;
  /** The pmm_agents of desired, by the name of their node. */
  processes: Map<string, Reference>;
  nodeIds: ReadonlyMap<string, string>;
  serviceIds: ReadonlyMap<string, string>;
  /** Agents within the scope that nothing of desired is yet, by key. */
  free: Map<string, Agent[]>;
  /** What is and stays just as it is. */
  unchanged: Set<string>;
}

const waitingFor = (label: string) => `Waits for ${label}, which is blocked.`;

// What an object is called ---------------------------------------------------------------------------------------------

function nodeNameOf({ there, steps }: Context, id: string): string {
  const next = steps.get(id)?.next;
  return there.nodes.get(id)?.node_name ?? (next?.kind === 'node' ? next.object.node_name : id);
}

function serviceNameOf({ there, steps }: Context, id: string): string {
  const next = steps.get(id)?.next;
  return there.services.get(id)?.service_name ?? (next?.kind === 'service' ? next.object.service_name : id);
}

function namedOf(context: Context, stored: Stored): Named {
  if (stored.kind === 'node') return { node_name: stored.object.node_name };
  if (stored.kind === 'service') return { service_name: stored.object.service_name };
  const { agent_type: type, runs_on_node_id: nodeId, insights } = stored.object;
  return {
    agent_type: type,
    ...(nodeId === undefined ? {} : { runs_on_node_name: nodeNameOf(context, nodeId) }),
    insights: {
      node_names: insights.node_ids.map((id) => nodeNameOf(context, id)),
      service_names: insights.service_ids.map((id) => serviceNameOf(context, id)),
    },
  };
}

function label(kind: ObjectKind, { node_name, service_name, agent_type, runs_on_node_name: place }: Named): string {
  if (kind !== 'agent') return `${nouns[kind]} "${node_name ?? service_name ?? ''}"`;
  return `${nouns.agent} ${agent_type ?? ''}${place === undefined ? '' : ` on node "${place}"`}`;
}

// What is to become of each object -------------------------------------------------------------------------------------

interface Draft {
  action: Step['action'];
  kind: ObjectKind;
  id: string;
  named: Named;
  old?: Stored;
  next?: Stored;
  changes?: Difference[];
  blocked?: string;
}

function addStep({ steps }: Context, draft: Draft): void {
  steps.set(draft.id, { changes: [], ...draft, after: new Set() });
}

/** Ids become names: what clients have never seen tells them nothing. */
function changesOf(context: Context, old: Stored, next: Stored): Difference[] {
  if (old.kind !== 'service' || next.kind !== 'service') return differences(old.object, next.object);
  const shown = ({ node_ids: ids, ...rest }: Service) => ({
    ...rest,
    custom_labels: rest.custom_labels,
    node_names: ids.map((id) => nodeNameOf(context, id)),
  });
  return differences(shown(old.object), shown(next.object));
}

/** The object is there, and is to be this: a change, unless it is so. */
function keep(context: Context, old: Stored, wanted: Item): void {
  const { kind, object } = old;
  const id = idOf(old);
  if (isDeepStrictEqual(wanted, withoutMark<Stored['object']>(object))) {
    context.unchanged.add(id);
    return;
  }
  const record = { revision: object.revision + 1, updated_at: context.making.now.toISOString() };
  const next = toStored(kind, { ...wanted, ...record });
  const changes = changesOf(context, old, next);
  addStep(context, { action: 'change', kind, id, named: namedOf(context, old), old, next, changes });
}

function add(context: Context, kind: ObjectKind, made: Item): string {
  const next = toStored(kind, made);
  addStep(context, { action: 'add', kind, id: idOf(next), named: namedOf(context, next), next });
  return idOf(next);
}

/** What is to be there and cannot: whoever refers to it waits in vain. */
function block(context: Context, draft: Omit<Draft, 'id'> & { id?: string; blocked: string }): Reference {
  const { id = context.making.newId(), ...rest } = draft;
  addStep(context, { id, ...rest });
  return { blocked: waitingFor(label(draft.kind, draft.named)) };
}

const outside = (kind: ObjectKind, named: Named) => `${label(kind, named)} is there, outside of the scope.`;

/** An object of this name is there and cannot become what is desired. */
function checkThere(context: Context, old: Stored, types: { there: string; desired: string }): Reference | undefined {
  const { kind } = old;
  const named = namedOf(context, old);
  const id = idOf(old);
  if (!context.there.within.has(id))
    return block(context, { action: 'add', kind, named, blocked: outside(kind, named) });
  if (types.there === types.desired) return undefined;
  const blocked = `It is there with the type ${types.there}, which never changes. Remove it first.`;
  block(context, { action: 'change', kind, id, named, old, blocked });
  // It stays, so that others may refer to it.
  return { id };
}

function draftNode(context: Context, body: DesiredNode): Reference {
  const known = context.nodeIds.get(body.node_name);
  const object = known === undefined ? undefined : context.there.nodes.get(known);
  if (object === undefined) return { id: add(context, 'node', newNode(context.making, body)) };
  const old: Stored = { kind: 'node', object };
  const refused = checkThere(context, old, { there: object.node_type, desired: body.node_type });
  if (refused !== undefined) return refused;
  keep(context, old, declaredNode(object, body));
  return { id: object.node_id };
}

/** What a name stands for. */
function referTo(context: Context, kind: 'node' | 'service', name: string): Reference {
  const [desired, ids] = kind === 'node' ? [context.nodes, context.nodeIds] : [context.services, context.serviceIds];
  const known = desired.get(name);
  if (known !== undefined) return known;
  const id = ids.get(name);
  const what = `${nouns[kind]} "${name}"`;
  if (id === undefined) return { blocked: `${what} is neither in desired nor there.` };
  return context.there.within.has(id)
    ? { blocked: `${what} is in the scope and not in desired: it is to go.` }
    : { id };
}

interface Found {
  ids: string[];
  blocked: string | undefined;
}

function referToAll(context: Context, kind: 'node' | 'service', names: readonly string[]): Found {
  const references = names.map((name) => referTo(context, kind, name));
  return {
    ids: references.flatMap((one) => ('id' in one ? [one.id] : [])),
    blocked: references.flatMap((one) => ('blocked' in one ? [one.blocked] : []))[0],
  };
}

function draftService(context: Context, { node_names: names, ...body }: DesiredService): Reference {
  const known = context.serviceIds.get(body.service_name);
  const object = known === undefined ? undefined : context.there.services.get(known);
  const old: Stored | undefined = object === undefined ? undefined : { kind: 'service', object };
  if (old !== undefined && object !== undefined) {
    const refused = checkThere(context, old, { there: object.service_type, desired: body.service_type });
    if (refused !== undefined) return refused;
  }
  const { ids, blocked } = referToAll(context, 'node', names);
  if (blocked !== undefined) {
    const named = { service_name: body.service_name };
    if (old === undefined) return block(context, { action: 'add', kind: 'service', named, blocked });
    block(context, { action: 'change', kind: 'service', id: idOf(old), named, old, blocked });
    return { id: idOf(old) };
  }
  const addition = { ...body, node_ids: ids };
  if (old === undefined || object === undefined)
    return { id: add(context, 'service', newService(context.making, addition)) };
  keep(context, old, declaredService(object, addition));
  return { id: object.service_id };
}

/** Of several that are alike, the one that is found by its key, or else the oldest. */
function preferred(agents: readonly Agent[]): Agent | undefined {
  const order = ({ registered, created_at: time, agent_id: id }: Agent) =>
    `${registered === true ? 0 : 1} ${time} ${id}`;
  return agents.toSorted((left, right) => (order(left) < order(right) ? -1 : 1))[0];
}

/** The pmm_agent that starts the agents of a node. */
function processOf(context: Context, nodeName: string, nodeId: string): Reference {
  const desired = context.processes.get(nodeName);
  if (desired !== undefined) return desired;
  const running = [...context.there.agents.values()].filter(
    ({ agent_type: type, runs_on_node_id: place, agent_id: id }) =>
      type === 'pmm_agent' && place === nodeId && !context.there.within.has(id),
  );
  const found = preferred(running);
  return found === undefined ? { blocked: `No pmm_agent runs on node "${nodeName}".` } : { id: found.agent_id };
}

type Placed = { place: Place } | { blocked: string };

function placeOf(context: Context, { agent_type: type, runs_on_node_name: name }: DesiredAgent): Placed {
  if (name === undefined) return { place: {} };
  const node = referTo(context, 'node', name);
  if ('blocked' in node) return node;
  if (agentTypeEntry(type).place !== 'pmm_agent') return { place: { runs_on_node_id: node.id } };
  const parent = processOf(context, name, node.id);
  return 'blocked' in parent ? parent : { place: { pmm_agent_id: parent.id, runs_on_node_id: node.id } };
}

function draftAgent(context: Context, desired: DesiredAgent): Reference {
  const { runs_on_node_name: placeName, insights: targets, ...body } = desired;
  const placed = placeOf(context, desired);
  const nodes = referToAll(context, 'node', targets.node_names);
  const services = referToAll(context, 'service', targets.service_names);
  const blocked = 'blocked' in placed ? placed.blocked : (nodes.blocked ?? services.blocked);
  if ('blocked' in placed || blocked !== undefined) {
    const named = {
      agent_type: body.agent_type,
      ...(placeName === undefined ? {} : { runs_on_node_name: placeName }),
      insights: targets,
    };
    return block(context, { action: 'add', kind: 'agent', named, blocked: blocked ?? '' });
  }
  const { place } = placed;
  const insights = { node_ids: nodes.ids, service_ids: services.ids };
  const key = agentKey({ agent_type: body.agent_type, ...place, insights });
  const old = preferred(context.free.get(key) ?? []);
  const { runs_on_node_id: nodeId, pmm_agent_id: parentId } = place;
  const told =
    parentId === undefined ? (nodeId === undefined ? {} : { runs_on_node_id: nodeId }) : { pmm_agent_id: parentId };
  const addition = { ...body, insights, ...told };
  if (old === undefined)
    return { id: add(context, 'agent', { ...newAgentAt(context.making, addition, place), registered: true }) };
  take(context, old);
  keep(context, { kind: 'agent', object: old }, declaredAgent(old, addition));
  return { id: old.agent_id };
}

function take({ free }: Context, agent: Agent): void {
  for (const key of agentKeys(agent))
    free.set(
      key,
      (free.get(key) ?? []).filter(({ agent_id: id }) => id !== agent.agent_id),
    );
}

function draftDesired(context: Context, { nodes, services, agents }: Desired): void {
  for (const node of nodes) context.nodes.set(node.node_name, draftNode(context, node));
  for (const service of services) context.services.set(service.service_name, draftService(context, service));
  const list: readonly DesiredAgent[] = agents;
  const isProcess = ({ agent_type: type }: DesiredAgent) => type === 'pmm_agent';
  for (const agent of list.filter(isProcess))
    context.processes.set(agent.runs_on_node_name ?? '', draftAgent(context, agent));
  for (const agent of list.filter((one) => !isProcess(one))) draftAgent(context, agent);
}

function objectsWithin({ there }: Context): Stored[] {
  const within = (stored: Stored) => there.within.has(idOf(stored));
  return [
    ...Array.from(there.agents.values(), (object): Stored => ({ kind: 'agent', object })),
    ...Array.from(there.services.values(), (object): Stored => ({ kind: 'service', object })),
    ...Array.from(there.nodes.values(), (object): Stored => ({ kind: 'node', object })),
  ].filter(within);
}

function draftRemovals(context: Context, objects: readonly Stored[]): void {
  for (const old of objects) {
    const id = idOf(old);
    if (context.steps.has(id) || context.unchanged.has(id)) continue;
    addStep(context, { action: 'remove', kind: old.kind, id, named: namedOf(context, old), old });
  }
}

// What waits for what --------------------------------------------------------------------------------------------------

function stored({ there, steps }: Context, kind: ObjectKind, id: string): Stored | undefined {
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
function waitForTargets(context: Context, step: Step): void {
  for (const { dependency } of comeOf(step)) {
    if (dependency === undefined) continue;
    const target = context.steps.get(dependency.id);
    if (target?.action === 'add') step.after.add(target);
    const found = stored(context, dependency.kind, dependency.id);
    const refusal = found === undefined ? undefined : refusalOf(dependency, newGuardOf(found));
    if (refusal instanceof ApiError) step.blocked ??= refusal.message;
  }
}

const isClaimedBy = (found: Stored, partition: string) => claimsOf(found).some(({ pk }) => pk === partition);

/** What is to be unique is free before: whoever has it gives it up. */
function waitForClaims(context: Context, step: Step, takers: Map<string, Step>): void {
  for (const { key, taken } of comeOf(step)) {
    if (taken === undefined) continue;
    const owner = context.there.owners.get(key.pk);
    const holder = owner === undefined ? undefined : context.steps.get(owner);
    const isGivenUp = holder?.action === 'remove' || (holder?.next !== undefined && !isClaimedBy(holder.next, key.pk));
    if (takers.has(key.pk) || (owner !== undefined && owner !== step.id && !isGivenUp)) step.blocked ??= taken.message;
    takers.set(key.pk, step);
    if (holder !== undefined && holder !== step) step.after.add(holder);
  }
}

/** All that depends on it has gone or has let go of it. */
function waitForDependants(context: Context, step: Step): void {
  const { there, steps } = context;
  const { services = [], agents = [] } = there.dependants.get(step.id) ?? {};
  const under = step.kind === 'agent' ? [...there.agents.values()].filter((one) => one.pmm_agent_id === step.id) : [];
  const keepers = [
    ...services.map((id) => ['service', id] as const),
    ...[...agents, ...under.map(({ agent_id: id }) => id)].map((id) => ['agent', id] as const),
  ];
  for (const [kind, id] of keepers) {
    const found = stored(context, kind, id);
    const before = steps.get(id);
    if (before !== undefined) step.after.add(before);
    // What was not found has gone meanwhile.
    else if (found !== undefined)
      step.blocked ??= `${label(kind, namedOf(context, found))}, outside of the scope, depends on it.`;
  }
}

function waitForAll(context: Context): void {
  const takers = new Map<string, Step>();
  for (const step of context.steps.values()) {
    if (step.action === 'remove') waitForDependants(context, step);
    else {
      waitForTargets(context, step);
      waitForClaims(context, step, takers);
    }
  }
}

/** Whatever waits for what cannot be done cannot be done either. */
function spreadBlocks(steps: readonly Step[]): void {
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

// The plan -------------------------------------------------------------------------------------------------------------

const actions = ['add', 'change', 'remove'] as const;

function freeAgents({ agents, within }: Surroundings): Map<string, Agent[]> {
  const free = new Map<string, Agent[]>();
  for (const agent of agents.values())
    if (within.has(agent.agent_id))
      for (const key of agentKeys(agent)) free.set(key, [...(free.get(key) ?? []), agent]);
  return free;
}

const idsByName = <T extends Node | Service>(objects: ReadonlyMap<string, T>, nameOf: (one: T) => string) =>
  new Map(Array.from(objects, ([id, object]) => [nameOf(object), id]));

/**
 * What has to be done so that what is there within a scope becomes what is desired. Pure: it reads and writes nothing, and
 * of what is done, another plan has nothing left.
 */
export function planReconciliation(there: Surroundings, desired: Desired, making: Making): ReconcilePlan {
  const context: Context = {
    there,
    making,
    steps: new Map(),
    nodes: new Map(),
    services: new Map(),
    processes: new Map(),
    nodeIds: idsByName(there.nodes, ({ node_name: name }) => name),
    serviceIds: idsByName(there.services, ({ service_name: name }) => name),
    free: freeAgents(there),
    unchanged: new Set(),
  };
  const within = objectsWithin(context);
  draftDesired(context, desired);
  draftRemovals(context, within);
  waitForAll(context);
  // What is new comes before what it replaces goes, wherever nothing is against it.
  const steps = [...context.steps.values()].sort(
    (left, right) => actions.indexOf(left.action) - actions.indexOf(right.action),
  );
  spreadBlocks(steps);
  const doable = steps.filter(({ blocked }) => blocked === undefined);
  return {
    groups: inGroups(doable, ({ after }) => after),
    blocked: steps.filter(({ blocked }) => blocked !== undefined),
    inScope: within.length,
    unchanged: context.unchanged.size,
    removals: steps.filter(({ action }) => action === 'remove').length,
  };
}

/** Tells a step of one plan from those of others: what is done, and with which state of which object. */
export function fingerprintOf({ action, kind, named, old, changes, blocked }: Step): string {
  const seen = old === undefined ? null : [idOf(old), old.object.revision];
  const text = JSON.stringify([action, kind, named, seen, changes, blocked ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
