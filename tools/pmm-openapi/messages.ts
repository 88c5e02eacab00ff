import { addableAgents, changeableAgents } from '../../functions/pmm/declarations/agents.ts';
import type { Generation } from '../../functions/pmm/declarations/enums.ts';
import { nodeGroups } from '../../functions/pmm/declarations/nodes.ts';
import { serviceChangeFields, serviceGroups } from '../../functions/pmm/declarations/services.ts';
import {
  type Components,
  flag,
  list,
  map,
  type messagesOf,
  object,
  type Properties,
  type Schema,
  text,
  texts,
  unsigned,
} from './components.ts';

/** The contents of a request, and its reply. */
export interface Message {
  /** Filters and flags: in the query of PMM 3, in the body of PMM 2. */
  fields?: Properties;
  body?: Schema;
  reply: Schema;
}

/** The messages of operations by their names. The type is that in the path of a call, if there is one. */
export type Messages = Readonly<Record<string, (type: string | undefined) => Message>>;

/** The messages of one generation. */
export interface Context {
  generation: Generation;
  components: Components;
  node: KindMessages;
  service: KindMessages;
  agent: KindMessages;
}

type KindMessages = ReturnType<typeof messagesOf>;

export const empty: Schema = { type: 'object' };

export const force = { force: flag };

export const serviceFilters = ({ components: { schemaOf } }: Context): Properties => ({
  ...{ node_id: text, service_type: schemaOf('service_type'), external_group: text },
});

const labels = { custom_labels: map };

/** The messages about nodes and services. */
export function objectMessages(context: Context): Messages {
  const { components, node, service } = context;
  const { define, propertiesOf, schemaOf } = components;
  return {
    listNodes: () => ({ fields: { node_type: schemaOf('node_type') }, reply: node.all }),
    getNode: () => ({ reply: node.got }),
    addNode: (type) => ({
      body: type === undefined ? node.addable(nodeGroups) : node.added(type),
      reply: node.one,
    }),
    removeNode: () => ({ fields: force, reply: empty }),
    listServices: () => ({ fields: serviceFilters(context), reply: service.all }),
    getService: () => ({ reply: service.got }),
    addService: (type) => ({
      body: type === undefined ? service.addable(serviceGroups) : service.added(type),
      reply: service.one,
    }),
    changeService: () => ({
      body: define('ChangeServiceRequest', object(propertiesOf(serviceChangeFields, 'change'))),
      reply: service.one,
    }),
    removeService: () => ({ fields: force, reply: empty }),
    listServiceTypes: () => ({ body: empty, reply: object({ service_types: list(schemaOf('service_type')) }) }),
    addServiceLabels: () => ({ fields: labels, reply: empty }),
    removeServiceLabels: () => ({ fields: { custom_label_keys: texts }, reply: empty }),
  };
}

/** The messages about agents. */
export function agentMessages({ components, agent }: Context): Messages {
  const { define, refTo, schemaOf } = components;
  const filters = { pmm_agent_id: text, node_id: text, service_id: text, agent_type: schemaOf('agent_type') };
  const flags = ['enable', 'disable', 'remove_custom_labels', 'enable_push_metrics', 'disable_push_metrics'];
  const common = () =>
    define(
      'ChangeCommonAgentParams',
      object({
        ...Object.fromEntries(flags.map((name) => [name, flag])),
        ...labels,
        metrics_resolutions: refTo('MetricsResolutions'),
      }),
    );
  return {
    listAgents: () => ({ fields: filters, reply: agent.all }),
    getAgent: () => ({ reply: agent.got }),
    addAgent: (type) => ({
      body: type === undefined ? agent.addable(addableAgents) : agent.added(type),
      reply: agent.one,
    }),
    changeAgent: (type) => ({
      body: type === undefined ? agent.changeable(changeableAgents) : object({ common: common() }),
      reply: agent.one,
    }),
    removeAgent: () => ({ fields: force, reply: empty }),
    getAgentLogs: () => ({
      fields: { limit: unsigned },
      reply: object({ logs: texts, agent_config_log_lines_count: unsigned }),
    }),
  };
}

/** The messages about the server itself. */
export function serverMessages({ components: { define } }: Context): Messages {
  const version = define('VersionInfo', object({ version: text, full_version: text, timestamp: text }));
  return {
    getPmmVersion: () => ({
      fields: { dummy: text },
      reply: object({ version: text, server: version, managed: version, distribution_method: text }),
    }),
    getSettings: () => ({ reply: object({ settings: empty }) }),
    getReadOnlySettings: () => ({ reply: object({ settings: empty }) }),
    getReadiness: () => ({ reply: empty }),
    getGrafanaHealth: () => ({ reply: object({ commit: text, database: text, version: text }) }),
  };
}
