import { type Agent, agents, type InventoryObject, type Node, nodes, type Service, services } from './kinds.tsx';

/** Number of objects of each relation that are read. If more exist, the dialog states this. */
const MAX_LOOKED_AT = 100;

/** Number of removed services whose agents are also read. */
const MAX_SERVICES = 20;

export interface Dependant {
  noun: 'node' | 'service' | 'agent';
  id: string;
  name: string;
  /** The agent, whose host its name contains. */
  agent?: Agent;
}

/** The effect of a forced removal on other objects. */
export interface Dependants {
  /** Also removed. */
  removed: readonly Dependant[];
  /** Kept, without the removed object as a place or a target. */
  changed: readonly Dependant[];
  /** Whether more dependent objects exist than were read. */
  more: boolean;
}

const ofAgent = (agent: Agent): Dependant => ({
  ...{ noun: 'agent', id: agent.agent_id, name: agents.nameOf(agent) },
  agent,
});
const ofService = (service: Service): Dependant => ({
  noun: 'service',
  id: service.service_id,
  name: services.nameOf(service),
});

interface NearObjects {
  /** Services on the removed node. */
  services: readonly Service[];
  /** Agents that run on it or under it. */
  running: readonly Agent[];
  /** Agents with a removed object as a target. */
  targeting: readonly Agent[];
}

/** The rules of a forced removal, as the contracts describe them. */
export function cascadeOf(id: string, { services: on, running, targeting }: NearObjects): Omit<Dependants, 'more'> {
  const goneServices = on.filter(({ node_ids: ids }) => ids.every((nodeId) => nodeId === id));
  const gone = new Set([id, ...goneServices.map(({ service_id: serviceId }) => serviceId)]);
  const runningIds = new Set(running.map(({ agent_id: agentId }) => agentId));
  const others = [...new Map(targeting.map((agent) => [agent.agent_id, agent])).values()].filter(
    ({ agent_id: agentId }) => !runningIds.has(agentId),
  );
  const goes = ({ insights: { node_ids: nodeIds, service_ids: serviceIds } }: Agent) =>
    serviceIds.some((serviceId) => gone.has(serviceId)) &&
    [...nodeIds, ...serviceIds].every((targetId) => gone.has(targetId));
  return {
    removed: [
      ...goneServices.map(ofService),
      ...running.map(ofAgent),
      ...others.filter((agent) => goes(agent)).map(ofAgent),
    ],
    changed: [
      ...on.filter((service) => !goneServices.includes(service)).map(ofService),
      ...others.filter((agent) => !goes(agent)).map(ofAgent),
    ],
  };
}

/** Reads the objects that depend on an object. Only for information: the server decides during the removal. */
export async function dependantsOf(object: InventoryObject, signal: AbortSignal): Promise<Dependants> {
  let more = false;
  const query = (filter: Record<string, string>) => ({ ...filter, page_size: String(MAX_LOOKED_AT) });
  const agentsBy = async (filter: Record<string, string>) => {
    const page = await agents.list(query(filter), { signal });
    more ||= page.next !== undefined;
    return page.objects;
  };
  const around = await (async (): Promise<NearObjects> => {
    if (isNode(object)) {
      const node = object.node_id;
      const [on, running, targeting] = await Promise.all([
        services.list(query({ node_id: node }), { signal }),
        agentsBy({ runs_on_node_id: node }),
        agentsBy({ node_id: node }),
      ]);
      const alone = on.objects.filter(({ node_ids: ids }) => ids.every((id) => id === node));
      more ||= on.next !== undefined || alone.length > MAX_SERVICES;
      const ofThem = await Promise.all(
        alone.slice(0, MAX_SERVICES).map(({ service_id: id }) => agentsBy({ service_id: id })),
      );
      return { services: on.objects, running, targeting: [...targeting, ...ofThem.flat()] };
    }
    if (isService(object))
      return { services: [], running: [], targeting: await agentsBy({ service_id: object.service_id }) };
    const isProcess = object.agent_type === 'pmm_agent';
    return { services: [], running: isProcess ? await agentsBy({ pmm_agent_id: object.agent_id }) : [], targeting: [] };
  })();
  return { ...cascadeOf(idOf(object), around), more };
}

const isNode = (object: InventoryObject): object is Node => nodes.idField in object && nodes.typeField in object;
const isService = (object: InventoryObject): object is Service => services.typeField in object;

function idOf(object: InventoryObject): string {
  if (isNode(object)) return object.node_id;
  return isService(object) ? object.service_id : object.agent_id;
}
