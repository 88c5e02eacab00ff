import { endpoint as addAgent } from '../../functions/api/agents/add/endpoint.ts';
import { endpoint as addApiKey } from '../../functions/api/api-keys/add/endpoint.ts';
import { endpoint as discover } from '../../functions/api/discovery/prometheus/endpoint.ts';
import { endpoint as addNode } from '../../functions/api/nodes/add/endpoint.ts';
import { endpoint as addService } from '../../functions/api/services/add/endpoint.ts';
import type { ApiRequest } from '../ui/curl-text.ts';

/** The steps that the inventory contains already; ids of the first objects of each kind. */
export interface QuickStartState {
  /** Undefined if the caller may not list keys. */
  hasKey: boolean | undefined;
  nodeId: string | undefined;
  processId: string | undefined;
  service: { id: string; type: string } | undefined;
  hasExporter: boolean;
  hasTarget: boolean;
}

export type StepId = 'key' | 'node' | 'pmm_agent' | 'service' | 'exporter' | 'prometheus';

export interface Step {
  id: StepId;
  title: string;
  /** The purpose of the step, and the values to replace in its command. */
  text: string;
  /** Undefined: the caller may not read whether it is done. */
  isDone: boolean | undefined;
  request: ApiRequest;
  /** Arguments of curl that authenticate; undefined: the API key. */
  authorization?: string;
  /** A place of the console that does the same. */
  page: { text: string; segments: readonly string[] };
}

/** In the place of the id of an object that does not exist yet. */
const orPlaceholder = (id: string | undefined, placeholder: string): string => id ?? placeholder;

const ENDPOINT = { address: '10.0.0.1', port: 3306 } as const;

/**
 * The first steps of an empty inventory, in their order, with requests for the objects that exist.
 *
 * @param watcher the type of the agents that give insight into services of a type.
 */
export function stepsOf(state: QuickStartState, watcher: (serviceType: string) => string): Step[] {
  const { hasKey, nodeId, processId, service, hasExporter, hasTarget } = state;
  const post = ({ path }: { path: string }, body: object): ApiRequest => ({ method: 'POST', path, body });
  const node = orPlaceholder(nodeId, 'NODE_ID');
  const agent = (body: object) => post(addAgent, body);
  return [
    {
      id: 'key',
      title: 'Create an API key',
      text: 'Programs present it with each request. curl asks for the password of admin. Store the key of the reply: API_KEY=minv_...',
      isDone: hasKey,
      request: post(addApiKey, { name: 'automation', role: 'Editor', time_to_live: '90d' }),
      authorization: '-u admin',
      page: { text: 'API keys', segments: ['configuration', 'api-keys'] },
    },
    {
      id: 'node',
      title: 'Add a node, or enrol a host',
      text: 'A node is a machine, a container or a managed instance. A host can also add itself with an enrolment token.',
      isDone: nodeId !== undefined,
      request: post(addNode, { node_type: 'generic', node_name: 'db-1', address: ENDPOINT.address }),
      page: { text: 'Enrolment tokens', segments: ['configuration', 'enrolment-tokens'] },
    },
    {
      id: 'pmm_agent',
      title: 'Add the pmm_agent of the node',
      text: 'The agent process of the node starts its other agents, and reports for them.',
      isDone: processId !== undefined,
      request: agent({ agent_type: 'pmm_agent', runs_on_node_id: node }),
      page: { text: 'Add agent', segments: ['agents', 'add'] },
    },
    {
      id: 'service',
      title: 'Add a service',
      text: 'A service is a database or a proxy on the node.',
      isDone: service !== undefined,
      request: post(addService, { service_type: 'mysql', service_name: 'orders', node_ids: [node], ...ENDPOINT }),
      page: { text: 'Add service', segments: ['services', 'add'] },
    },
    {
      id: 'exporter',
      title: 'Add an exporter',
      text: 'It runs under the pmm_agent and gives insight into the service. Prometheus reads it at its listen_port.',
      isDone: hasExporter,
      request: agent({
        agent_type: watcher(service?.type ?? 'mysql'),
        pmm_agent_id: orPlaceholder(processId, 'PMM_AGENT_ID'),
        insights: { service_ids: [orPlaceholder(service?.id, 'SERVICE_ID')] },
        listen_port: 42_001,
      }),
      page: { text: 'Add agent', segments: ['agents', 'add'] },
    },
    {
      id: 'prometheus',
      title: 'Let Prometheus find it',
      text: 'The reply lists the targets. Use the same URL and key in http_sd_configs of Prometheus, vmagent or Grafana Alloy.',
      isDone: hasTarget,
      request: { method: 'GET', path: discover.path },
      page: { text: 'Agents', segments: ['agents'] },
    },
  ];
}
