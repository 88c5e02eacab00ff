import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../../shared/db/table.ts';
import { invalidRequest, type Violation } from '../../../../shared/core/errors.ts';
import { declaredAgent, newAgentAt } from '../../../transitions/agent.ts';
import type { CreationContext } from '../../../transitions/creation-context.ts';
import { declaredNode, newNode } from '../../../transitions/node.ts';
import { declaredService, newService } from '../../../transitions/service.ts';
import type { AgentPlace } from '../../../domain/agent/lifecycle.ts';
import { agentTypeEntry } from '../../../domain/agent/types.ts';
import { wrongInDesired } from '../../../domain/bulk/new-values.ts';
import type {
  DesiredState,
  DesiredAgent,
  DesiredNode,
  DesiredService,
} from '../../../domain/bulk/reconcile-request.ts';
import { agentKey, agentKeys, meantByKey } from '../../../store/entities/agent-natural-key.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { nextRecord } from '../../../domain/fields/record.ts';
import {
  type Agent,
  idOf,
  type Node,
  nouns,
  type Service,
  type Entity,
  toEntity,
  withoutInternalFields,
} from '../../../store/entities/entity.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';
import { type Difference, differences } from './field-changes.ts';
import { agentsByKey, objectsWithin } from './within.ts';
import { label, type ObjectNames, namedOf, nodeNameOf, type Step, blockedByReason, type Situation } from './step.ts';

/** An object that another one refers to, existing or to be added; or the reason why it cannot be referred to. */
type Reference = { id: string } | { blocked: string };

interface Context extends Situation {
  making: CreationContext;
  /** Objects of `desired`, by name. */
  nodes: Map<string, Reference>;
  services: Map<string, Reference>;
  /** The pmm_agents of `desired`, by the name of their node. */
  processes: Map<string, Reference>;
  nodeIds: ReadonlyMap<string, string>;
  serviceIds: ReadonlyMap<string, string>;
  /** Agents inside the scope that match no agent of `desired` so far, by natural key. */
  free: Map<string, Agent[]>;
  /** Ids of the objects that do not change. */
  unchanged: Set<string>;
  /** Values of `desired` that only an object may have which already has them. */
  wrong: Violation[];
}

interface Draft {
  action: Step['action'];
  kind: ObjectKind;
  id: string;
  named: ObjectNames;
  old?: Entity;
  next?: Entity;
  changes?: Difference[];
  blocked?: string;
}

function addStep({ steps }: Context, draft: Draft): void {
  steps.set(draft.id, { changes: [], ...draft, after: new Set() });
}

/** Replaces ids by names in the differences: clients do not know the ids. */
function changesOf(context: Context, old: Entity, next: Entity): Difference[] {
  if (old.kind !== 'service' || next.kind !== 'service') return differences(old.object, next.object);
  const shown = ({ node_ids: ids, ...rest }: Service) => ({
    ...rest,
    custom_labels: rest.custom_labels,
    node_names: ids.map((id) => nodeNameOf(context, id)),
  });
  return differences(shown(old.object), shown(next.object));
}

/** The object exists. Adds a change if it differs from the desired state. */
function keep(context: Context, old: Entity, wanted: Item): void {
  const { kind, object } = old;
  const id = idOf(old);
  if (isDeepStrictEqual(wanted, withoutInternalFields<Entity['object']>(object))) {
    context.unchanged.add(id);
    return;
  }
  const next = toEntity(kind, { ...wanted, ...nextRecord(object, context.making.now) });
  const changes = changesOf(context, old, next);
  addStep(context, { action: 'change', kind, id, named: namedOf(context, old), old, next, changes });
}

function add(context: Context, kind: ObjectKind, made: Item): string {
  const next = toEntity(kind, made);
  addStep(context, { action: 'add', kind, id: idOf(next), named: namedOf(context, next), next });
  return idOf(next);
}

/** The object cannot become what is desired. Steps that refer to it are blocked as well. */
function block(context: Context, draft: Omit<Draft, 'id'> & { id?: string; blocked: string }): Reference {
  const { id = context.making.newId(), ...rest } = draft;
  addStep(context, { id, ...rest });
  return { blocked: blockedByReason(label(draft.kind, draft.named)) };
}

const outside = (kind: ObjectKind, named: ObjectNames) => `${label(kind, named)} exists outside the scope.`;

/** An object with this name exists and cannot become what is desired. */
function checkThere(context: Context, old: Entity, types: { there: string; desired: string }): Reference | undefined {
  const { kind } = old;
  const named = namedOf(context, old);
  const id = idOf(old);
  if (!context.there.within.has(id))
    return block(context, { action: 'add', kind, named, blocked: outside(kind, named) });
  if (types.there === types.desired) return undefined;
  const blocked = `Exists with the type ${types.there}, which cannot change. Remove it first.`;
  block(context, { action: 'change', kind, id, named, old, blocked });
  // The object stays, so others may refer to it.
  return { id };
}

function draftNode(context: Context, body: DesiredNode, index: number): Reference {
  const nodeId = context.nodeIds.get(body.node_name);
  const object = nodeId === undefined ? undefined : context.there.nodes.get(nodeId);
  context.wrong.push(...wrongInDesired({ kind: 'node', index, body }, object));
  if (object === undefined) return { id: add(context, 'node', newNode(context.making, body)) };
  const old: Entity = { kind: 'node', object };
  const refused = checkThere(context, old, { there: object.node_type, desired: body.node_type });
  if (refused !== undefined) return refused;
  keep(context, old, declaredNode(object, body));
  return { id: object.node_id };
}

/** Resolves a name to an object. */
function referTo(context: Context, kind: 'node' | 'service', name: string): Reference {
  const [desired, ids] = kind === 'node' ? [context.nodes, context.nodeIds] : [context.services, context.serviceIds];
  const desiredReference = desired.get(name);
  if (desiredReference !== undefined) return desiredReference;
  const id = ids.get(name);
  const what = `${nouns[kind]} "${name}"`;
  if (id === undefined) return { blocked: `${what} does not exist and is not in desired.` };
  return context.there.within.has(id)
    ? { blocked: `${what} is in the scope but not in desired, and will be removed.` }
    : { id };
}

interface ReferenceList {
  ids: string[];
  blocked: string | undefined;
}

function referToAll(context: Context, kind: 'node' | 'service', names: readonly string[]): ReferenceList {
  const references = names.map((name) => referTo(context, kind, name));
  return {
    ids: references.flatMap((reference) => ('id' in reference ? [reference.id] : [])),
    blocked: references.flatMap((reference) => ('blocked' in reference ? [reference.blocked] : []))[0],
  };
}

function draftService(context: Context, { node_names: names, ...body }: DesiredService, index: number): Reference {
  const serviceId = context.serviceIds.get(body.service_name);
  const object = serviceId === undefined ? undefined : context.there.services.get(serviceId);
  const old: Entity | undefined = object === undefined ? undefined : { kind: 'service', object };
  context.wrong.push(...wrongInDesired({ kind: 'service', index, body }, object));
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

/** The pmm_agent that runs the agents of a node. */
function processOf(context: Context, nodeName: string, nodeId: string): Reference {
  const desired = context.processes.get(nodeName);
  if (desired !== undefined) return desired;
  const running = [...context.there.agents.values()].filter(
    ({ agent_type: type, runs_on_node_id: place, agent_id: id }) =>
      type === 'pmm_agent' && place === nodeId && !context.there.within.has(id),
  );
  const chosen = meantByKey(running);
  return chosen === undefined ? { blocked: `No pmm_agent runs on node "${nodeName}".` } : { id: chosen.agent_id };
}

type PlaceReference = { place: AgentPlace } | { blocked: string };

function placeOf(context: Context, { agent_type: type, runs_on_node_name: name }: DesiredAgent): PlaceReference {
  if (name === undefined) return { place: {} };
  const node = referTo(context, 'node', name);
  if ('blocked' in node) return node;
  if (agentTypeEntry(type).place !== 'pmm_agent') return { place: { runs_on_node_id: node.id } };
  const parent = processOf(context, name, node.id);
  return 'blocked' in parent ? parent : { place: { pmm_agent_id: parent.id, runs_on_node_id: node.id } };
}

function draftAgent(context: Context, desired: DesiredAgent, index: number): Reference {
  const { runs_on_node_name: placeName, insights: targets, ...body } = desired;
  const { collector_name: name } = desired;
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
  const key = agentKey({ agent_type: body.agent_type, ...place, collector_name: name, insights });
  const old = meantByKey(context.free.get(key) ?? []);
  const { runs_on_node_id: nodeId, pmm_agent_id: parentId } = place;
  const told =
    parentId === undefined ? (nodeId === undefined ? {} : { runs_on_node_id: nodeId }) : { pmm_agent_id: parentId };
  const addition = { ...body, insights, ...told };
  context.wrong.push(...wrongInDesired({ kind: 'agent', index, body: addition }, old));
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

function draftDesired(context: Context, { nodes, services, agents }: DesiredState): void {
  for (const [index, node] of nodes.entries()) context.nodes.set(node.node_name, draftNode(context, node, index));
  for (const [index, service] of services.entries())
    context.services.set(service.service_name, draftService(context, service, index));
  const list: readonly DesiredAgent[] = agents;
  for (const [index, agent] of list.entries())
    if (agent.agent_type === 'pmm_agent')
      context.processes.set(agent.runs_on_node_name ?? '', draftAgent(context, agent, index));
  for (const [index, agent] of list.entries()) if (agent.agent_type !== 'pmm_agent') draftAgent(context, agent, index);
  if (context.wrong.length > 0) throw invalidRequest(context.wrong);
}

function draftRemovals(context: Context, objects: readonly Entity[]): void {
  for (const old of objects) {
    const id = idOf(old);
    if (context.steps.has(id) || context.unchanged.has(id)) continue;
    addStep(context, { action: 'remove', kind: old.kind, id, named: namedOf(context, old), old });
  }
}

const idsByName = <T extends Node | Service>(objects: ReadonlyMap<string, T>, nameOf: (object: T) => string) =>
  new Map(Array.from(objects, ([id, object]) => [nameOf(object), id]));

export interface Diff extends Situation {
  /** The existing objects inside the scope. */
  within: readonly Entity[];
  /** Ids of the objects that do not change. */
  unchanged: ReadonlySet<string>;
}

/**
 * The steps for all objects, without their order and dependencies.
 *
 * @throws ApiError `invalidArgument` for values that only an object may have which already has them.
 */
export function computeDiff(snapshot: ScopeSnapshot, desired: DesiredState, creationContext: CreationContext): Diff {
  const context: Context = {
    there: snapshot,
    making: creationContext,
    steps: new Map(),
    nodes: new Map(),
    services: new Map(),
    processes: new Map(),
    nodeIds: idsByName(snapshot.nodes, ({ node_name: name }) => name),
    serviceIds: idsByName(snapshot.services, ({ service_name: name }) => name),
    free: agentsByKey(snapshot),
    unchanged: new Set(),
    wrong: [],
  };
  const within = objectsWithin(snapshot);
  draftDesired(context, desired);
  draftRemovals(context, within);
  return { there: snapshot, within, steps: context.steps, unchanged: context.unchanged };
}
