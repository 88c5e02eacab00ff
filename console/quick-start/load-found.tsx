import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { endpoint as discover } from '../../functions/api/discovery/prometheus/endpoint.ts';
import { mayCallWithEveryBody } from '../../functions/contract/may-call.ts';
import { call } from '../api/client.tsx';
import type { Caller } from '../api/session.tsx';
import { agents, nodes, services } from '../model/kinds.tsx';
import type { QuickStartState } from './steps.ts';

const firstOnly = { page_size: '1' } as const;

/**
 * Reads how far the first steps are: the first object of each kind.
 *
 * @throws ApiFailure
 */
export async function loadFound(caller: Caller, signal: AbortSignal): Promise<QuickStartState> {
  const options = { signal };
  const mayListKeys = mayCallWithEveryBody(caller, listApiKeys);
  const [keys, hosts, processes, databases, exporters, targets] = await Promise.all([
    mayListKeys ? call(listApiKeys, { query: { page_size: 1 } }, options) : undefined,
    nodes.list(firstOnly, options),
    agents.list({ ...firstOnly, agent_type: 'pmm_agent' }, options),
    services.list(firstOnly, options),
    agents.list({ ...firstOnly, selector: 'agent_type!=pmm_agent' }, options),
    call(discover, {}, options),
  ]);
  const [node] = hosts.objects;
  const [process] = processes.objects;
  const [service] = databases.objects;
  return {
    // A caller with a key has one.
    hasKey: caller.kind === 'api_key' ? true : keys && keys.api_keys.length > 0,
    nodeId: node?.node_id,
    processId: process?.agent_id,
    service: service && { id: service.service_id, type: service.service_type },
    hasExporter: exporters.objects.length > 0,
    hasTarget: targets.length > 0,
  };
}
