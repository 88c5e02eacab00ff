import { agents, type InventoryObject, type Kind, nodes, services, shortId, textOf } from './kinds.tsx';
import type { TargetKind } from './target.ts';
import { remember } from './object-cache.tsx';

export interface Choice {
  id: string;
  name: string;
  description: string;
}

/** Maximum number of choices. More of the name finds other objects. */
export const MAX_CHOICES = 20;

/** Number of nodes that are read. An agent process has no name: it is found by the name of its node. */
const MAX_NODES = 10;

async function page<T extends InventoryObject>(kind: Kind<T>, query: Record<string, string>, signal: AbortSignal) {
  const { objects } = await kind.list(query, { signal });
  remember(kind, objects);
  return objects;
}

const prefixed = (prefix: string, size: number): Record<string, string> => ({
  page_size: String(size),
  ...(prefix === '' ? {} : { name_prefix: prefix }),
});

/** Finds the choices of a field that refers to other objects, by the start of their names. */
export const searches: Readonly<Record<TargetKind, (prefix: string, signal: AbortSignal) => Promise<Choice[]>>> = {
  node: async (prefix, signal) => {
    const matches = await page(nodes, prefixed(prefix, MAX_CHOICES), signal);
    return matches.map((node) => ({
      id: node.node_id,
      name: node.node_name,
      description: `${node.node_type}, ${node.address}`,
    }));
  },
  service: async (prefix, signal) => {
    const matches = await page(services, prefixed(prefix, MAX_CHOICES), signal);
    return matches.map((service) => ({
      id: service.service_id,
      name: service.service_name,
      description: [service.service_type, textOf(service, 'cluster') ?? textOf(service, 'address')].join(', '),
    }));
  },
  pmm_agent: async (prefix, signal) => {
    const hosts = await page(nodes, prefixed(prefix, MAX_NODES), signal);
    const processes = await Promise.all(
      hosts.map(async ({ node_id: id, node_name: name }) => {
        const query = { agent_type: 'pmm_agent', runs_on_node_id: id, page_size: '10' };
        const processes = await page(agents, query, signal);
        return processes.map(({ agent_id: agentId }) => ({
          id: agentId,
          name,
          description: `pmm_agent ${shortId(agentId)}`,
        }));
      }),
    );
    return processes.flat();
  },
};
