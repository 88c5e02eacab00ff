import type { Table } from '../../../shared/db/table.ts';
import type { Agent, Node, Service } from '../entities/entity.ts';
import { objectsById } from '../entities/get.ts';
import type { Process } from '../heartbeats/report.ts';

/** A host with the agents under its agent process, and their services. Objects that were just removed are missing. */
export interface HostObjects {
  node: Node | undefined;
  agents: Agent[];
  services: Service[];
}

const present = <T>(ids: Iterable<string>, byId: ReadonlyMap<string, { object: T }>): T[] =>
  [...ids].flatMap((id) => byId.get(id)?.object ?? []);

/** The objects of hosts, in the order of their processes. Two rounds of batch reads. */
export async function readHostObjects(table: Table, processes: readonly Process[]): Promise<HostObjects[]> {
  const [nodes, agents] = await Promise.all([
    objectsById(
      table,
      'node',
      processes.map(({ nodeId }) => nodeId),
    ),
    objectsById(
      table,
      'agent',
      processes.flatMap((process) => [...process.agents]),
    ),
  ]);
  const serviceIds = (of: Iterable<string>) =>
    new Set(present(of, agents).flatMap(({ insights }) => insights.service_ids));
  const services = await objectsById(table, 'service', serviceIds(agents.keys()));
  return processes.map((process) => ({
    node: nodes.get(process.nodeId)?.object,
    agents: present(process.agents, agents),
    services: present(serviceIds(process.agents), services),
  }));
}
