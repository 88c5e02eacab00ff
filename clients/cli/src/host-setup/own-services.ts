import { InventoryError } from '../../../typescript/src/error.ts';
import { getAgent } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { CommandError } from '../core/exit-codes.ts';
import { isId } from '../objects/objects.ts';
import { isFields, isList } from '../core/values.ts';
import type { MonitoredService } from './exporters.ts';

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function serviceOf(type: string, value: unknown): MonitoredService[] {
  if (!isFields(value)) return [];
  const [id, name] = [textIn(value['service_id']), textIn(value['service_name'])];
  if (id === undefined || name === undefined) return [];
  const [address, socket] = [textIn(value['address']), textIn(value['socket'])];
  const { port } = value;
  return [
    {
      ...{ service_id: id, service_name: name, service_type: type },
      ...(address === undefined ? {} : { address }),
      ...(socket === undefined ? {} : { socket }),
      ...(typeof port === 'number' && port > 0 ? { port } : {}),
    },
  ];
}

/** The services on the node of the key. A host may not list them by our API; PMM's clients list their own. */
export async function ownServices(client: Client, nodeId: string, signal: AbortSignal): Promise<MonitoredService[]> {
  const path = `/v1/inventory/services?node_id=${nodeId}`;
  const spec = { id: 'listServices', method: 'GET', path, bare: true } as const;
  const reply = await client.send<unknown>(spec, undefined, { signal }).catch((error: unknown) => {
    if (error instanceof InventoryError && error.http === 404)
      throw new CommandError('The server does not serve pmm-agents: enable PMM_COMPATIBILITY (pmmCompatibility).');
    throw error;
  });
  if (!isFields(reply)) return [];
  return Object.entries(reply).flatMap(([type, services]) =>
    isList(services) ? services.flatMap((service) => serviceOf(type, service)) : [],
  );
}

/** Whether the inventory has this agent process on the node of the key. */
export async function isOwnAgent(client: Client, id: string, nodeId: string): Promise<boolean> {
  if (!isId(id)) return false;
  try {
    const agent = await getAgent(client, { agent_id: id });
    return agent.agent_type === 'pmm_agent' && agent.runs_on_node_id === nodeId;
  } catch (error) {
    if (error instanceof InventoryError && (error.http === 404 || error.http === 403)) return false;
    throw error;
  }
}
