import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { agentTypes } from '../../domain/agent/types.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import { type EntityOf, jsonOf } from '../../store/entities/entity.ts';
import { getVisibleObject } from '../../store/entities/get.ts';
import { isVisible, type Visible } from '../../store/entities/key-scope.ts';
import { readHeartbeats, toReplyWith } from '../../store/heartbeats/heartbeat.ts';
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
import { collector } from '../wire/reply-size.ts';
import { filterId, filterValue, grouped } from './objects.ts';

/** As many as a page of ours has at most. */
const PAGE_SIZE = 1000;

/** All pages of a list, as far as one reply can contain them. */
export async function allOf<Kind extends ObjectKind>(
  { route }: WireCall,
  read: (page: PageOptions) => Promise<Page<EntityOf<Kind>>>,
): Promise<EntityOf<Kind>[]> {
  const { objects, add } = collector<EntityOf<Kind>>(route);
  let after: PageOptions['after'];
  do {
    const page = await read({ size: PAGE_SIZE, after });
    for (const entity of page.objects) add(entity, jsonOf(entity));
    after = page.next;
  } while (after !== undefined);
  return objects;
}

type VisibleOf<Kind extends ObjectKind> = Visible<EntityOf<Kind>>;

/** As `allOf`, what the caller may see: a Registrar sees the objects below its node. */
export async function allVisible<Kind extends ObjectKind>(
  call: WireCall,
  read: (page: PageOptions) => Promise<Page<EntityOf<Kind>>>,
): Promise<VisibleOf<Kind>[]> {
  const { scope } = call.caller();
  return (await allOf(call, read)).filter((entity) => isVisible(scope, entity));
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
  const type = nodeTypes.find((one) => one === filterValue(call, 'node_type'));
  return orNothing(call, async () => {
    if (scope === undefined) return allVisible<'node'>(call, (page) => selectNodes(table, { node_type: type }, page));
    const own = await getVisibleObject(table, 'node', scope, scope);
    return type === undefined || own.object.node_type === type ? [own] : [];
  });
}

export const listNodes: Operation = async (call) => {
  const nodes = await nodesOf(call);
  return grouped(nodeTypes, nodes.map(asStored), call.generation);
};

/** The services that match. PMM does not check whether the node of the filter exists. */
export async function servicesOf(call: WireCall): Promise<VisibleOf<'service'>[]> {
  const type = serviceTypes.find((one) => one === filterValue(call, 'service_type'));
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
      allVisible<'service'>(call, (page) => selectServices(call.dependencies.table, filters, page)),
    );
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'notFound') return [];
    throw error;
  }
}

export const listServices: Operation = async (call) =>
  grouped(serviceTypes, (await servicesOf(call)).map(asStored), call.generation);

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
  const type = agentTypes.find((one) => one === filterValue(call, 'agent_type'));
  const own = given.length === 0 ? { runs_on_node_id: call.caller().scope } : {};
  const filters: AgentFilters = { agent_type: type, ...own, ...Object.fromEntries(given) };
  const found = await orNothing(call, () =>
    allVisible<'agent'>(call, (page) => selectAgents(call.dependencies.table, filters, page)),
  );
  return filters.node_id === undefined ? found : found.filter(({ object }) => nodeBound.includes(object.agent_type));
}

export const listAgents: Operation = async (call) =>
  grouped(agentTypes, await reported(call, await agentsOf(call)), call.generation);
