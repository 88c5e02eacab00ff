import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { agentTypes } from '../../domain/agent/types.ts';
import { standardLabels } from '../../domain/fields/filterable-labels.ts';
import { DEFAULT_OWNER_LABEL } from '../../domain/fields/owner-label.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import { type Entity, type EntityOf, jsonOf, parsed } from '../../store/entities/entity.ts';
import { getVisibleObject } from '../../store/entities/get.ts';
import { isVisible, type Visible, visible } from '../../store/entities/key-scope.ts';
import { readHeartbeats } from '../../store/heartbeats/heartbeat.ts';
import { toReplyWith } from '../../store/heartbeats/shown-state.ts';
import { type AgentFilters, selectAgents } from '../../store/lists/list-agents.ts';
import { selectNodes } from '../../store/lists/list-nodes.ts';
import { hasType } from '../../store/lists/pages.ts';
import { selectServices } from '../../store/lists/list-services.ts';
import type { Page, PageOptions } from '../../store/table/page.ts';
import type { ObjectKind } from '../../store/table/keys.ts';
import { nodeBound } from '../declarations/agents.ts';
import { enumerations, nameIn } from '../declarations/enums.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { type Fields, textIn } from '../wire/input.ts';
import { fittingObjects, ListMessage, type OwnerField } from '../wire/list-message.ts';
import { collector, tooLarge } from '../wire/reply-size.ts';
import { filterId, filterValue, grouped } from './objects.ts';

/** As many as a page of ours has at most. */
const PAGE_SIZE = 1000;

type ReadPage<Kind extends ObjectKind> = (page: PageOptions) => Promise<Page<EntityOf<Kind>>>;

async function* pagesOf<Kind extends ObjectKind>(read: ReadPage<Kind>): AsyncGenerator<EntityOf<Kind>[]> {
  let after: PageOptions['after'];
  do {
    const page = await read({ size: PAGE_SIZE, after });
    yield page.objects;
    after = page.next;
  } while (after !== undefined);
}

/** All pages of a list, as far as one reply can contain them. */
export async function allOf<Kind extends ObjectKind>(
  { route }: WireCall,
  read: ReadPage<Kind>,
): Promise<EntityOf<Kind>[]> {
  const { objects, add } = collector<EntityOf<Kind>>(route);
  for await (const page of pagesOf(read)) for (const entity of page) add(entity, jsonOf(entity));
  return objects;
}

type VisibleOf<Kind extends ObjectKind> = Visible<EntityOf<Kind>>;

function ownerFieldOf({ dependencies: { ownerLabel = DEFAULT_OWNER_LABEL } }: WireCall, kind: ObjectKind): OwnerField {
  return { ownerLabel, isAttribute: standardLabels[kind].has(ownerLabel) };
}

/** The message of a list of objects of this kind. */
export const listMessage = (call: WireCall, kind: ObjectKind, message: Record<string, unknown>) =>
  new ListMessage(message, { ...ownerFieldOf(call, kind), generation: call.generation });

const fieldsOf = ({ object }: Entity): Fields => object;

/** The most bytes of objects that are held, so that their number does not exhaust the memory of the function. */
const MAX_HELD_BYTES = 2 * MAX_RESULT_BYTES;

/**
 * All objects of a list that the caller may see, for a reply: a Registrar sees those below its node. Of more than a reply can contain, the
 * largest ones lack values.
 */
export async function allVisible<Kind extends ObjectKind>(
  call: WireCall,
  kind: Kind,
  read: ReadPage<Kind>,
): Promise<VisibleOf<Kind>[]> {
  const { scope } = call.caller();
  let held: VisibleOf<Kind>[] = [];
  let bytes = 0;
  for await (const page of pagesOf(read)) {
    for (const entity of page) {
      if (!isVisible(scope, entity)) continue;
      held.push(entity);
      bytes += jsonOf(entity).length;
    }
    if (bytes <= MAX_HELD_BYTES) continue;
    const objects = fittingObjects(held.map(fieldsOf), ownerFieldOf(call, kind), MAX_RESULT_BYTES);
    if (objects === undefined) throw tooLarge(call.route);
    held = held.map((entity, index) => {
      const { [index]: object = entity.object } = objects;
      return object === entity.object ? entity : visible(scope, parsed(kind, { ...object }));
    });
    bytes = MAX_RESULT_BYTES;
  }
  return held;
}

/** For a caller that is confined, a missing object and one of another host look the same. */
async function orNothing<One>(call: WireCall, read: () => Promise<One[]>): Promise<One[]> {
  try {
    return await read();
  } catch (error) {
    if (call.caller().scope !== undefined && error instanceof ApiError && error.kind === 'notFound') return [];
    throw error;
  }
}

const asStored = (entity: Visible): { entity: Visible; fields: Fields } => ({ entity, fields: entity.object });

/** Agents with the fields that their processes report. */
export async function reported(call: WireCall, agents: readonly VisibleOf<'agent'>[]) {
  const { table, clock } = call.dependencies;
  const now = clock();
  const heartbeats = await readHeartbeats(table, agents, false);
  return agents.map((entity) => ({ entity, fields: toReplyWith(entity, heartbeats, now) }));
}

export function nodesOf(call: WireCall): Promise<VisibleOf<'node'>[]> {
  const { table } = call.dependencies;
  const { scope } = call.caller();
  const type = nodeTypes.find((candidate) => candidate === filterValue(call, 'node_type'));
  return orNothing(call, async () => {
    if (scope === undefined) return allVisible(call, 'node', (page) => selectNodes(table, { node_type: type }, page));
    const ownNode = await getVisibleObject(table, 'node', scope, scope);
    return type === undefined || ownNode.object.node_type === type ? [ownNode] : [];
  });
}

export const listNodes: Operation = async (call) => {
  const nodes = await nodesOf(call);
  return listMessage(call, 'node', grouped(nodeTypes, nodes.map(asStored), call.generation));
};

/** The services that match. PMM does not check whether the node of the filter exists. */
export async function servicesOf(call: WireCall): Promise<VisibleOf<'service'>[]> {
  const type = serviceTypes.find((candidate) => candidate === filterValue(call, 'service_type'));
  const group = textIn(call.input, 'external_group');
  if (group !== '' && type !== undefined && type !== 'external')
    throw invalidRequest([
      {
        ...{ field: '', reason: 'not_allowed' },
        message: `The external group is not allowed for service type: "${type}".`,
      },
    ]);
  try {
    const filters = {
      service_type: type,
      node_id: filterId(call, 'node', 'node_id') ?? call.caller().scope,
      ...(group === '' ? {} : { group }),
    };
    return await orNothing(call, () =>
      allVisible(call, 'service', (page) => selectServices(call.dependencies.table, filters, page)),
    );
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'notFound') return [];
    throw error;
  }
}

export const listServices: Operation = async (call) =>
  listMessage(call, 'service', grouped(serviceTypes, (await servicesOf(call)).map(asStored), call.generation));

export const listServiceTypes: Operation = async ({ dependencies: { table }, generation }) => {
  const used = await Promise.all(
    serviceTypes.map(async (type) => ((await hasType(table, 'service', type)) ? [type] : [])),
  );
  const types = used.flat().map((type) => nameIn(enumerations.service_type, type, generation));
  return generation === 2 && types.length === 0 ? {} : { service_types: types };
};

const agentFilters = [
  ['pmm_agent_id', 'agent'],
  ['node_id', 'node'],
  ['service_id', 'service'],
] as const;

export async function agentsOf(call: WireCall): Promise<VisibleOf<'agent'>[]> {
  const given = agentFilters.flatMap(([name, kind]) => {
    const id = filterId(call, kind, name);
    return id === undefined ? [] : [[name, id] as const];
  });
  if (given.length > 1)
    throw invalidRequest([
      {
        ...{ field: '', reason: 'not_allowed' },
        message: 'expected at most one param: pmm_agent_id, node_id or service_id',
      },
    ]);
  const type = agentTypes.find((candidate) => candidate === filterValue(call, 'agent_type'));
  const hostFilter = given.length === 0 ? { runs_on_node_id: call.caller().scope } : {};
  const filters: AgentFilters = { agent_type: type, ...hostFilter, ...Object.fromEntries(given) };
  const agents = await orNothing(call, () =>
    allVisible(call, 'agent', (page) => selectAgents(call.dependencies.table, filters, page)),
  );
  return filters.node_id === undefined ? agents : agents.filter(({ object }) => nodeBound.includes(object.agent_type));
}

export const listAgents: Operation = async (call) =>
  listMessage(call, 'agent', grouped(agentTypes, await reported(call, await agentsOf(call)), call.generation));
