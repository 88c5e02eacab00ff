import { addableAgents, agentDeclaration, changeableAgents } from '../../functions/pmm/declarations/agents.ts';
import type { Generation } from '../../functions/pmm/declarations/enums.ts';
import {
  managedRds,
  managedServices,
  registrationFields,
  universalAgent,
  universalNode,
  universalService,
} from '../../functions/pmm/declarations/management.ts';
import { nodeDeclarations, nodeGroups } from '../../functions/pmm/declarations/nodes.ts';
import type { Route } from '../../functions/pmm/declarations/route.ts';
import { serviceChangeFields, serviceDeclarations, serviceGroups } from '../../functions/pmm/declarations/services.ts';
import {
  type Components,
  flag,
  found,
  joined,
  kinds,
  list,
  map,
  messagesOf,
  nullable,
  object,
  type Properties,
  type Schema,
  text,
  texts,
  unsigned,
} from './components.ts';

/** What a request contains, and its reply. */
export interface Message {
  /** Filters and flags: in the query of PMM 3, in the body of PMM 2. */
  fields?: Properties;
  body?: Schema;
  reply: Schema;
}

export const empty: Schema = { type: 'object' };

/** The messages of each operation. @param route for an operation with a type in its path. */
export function operationMessages(components: Components, generation: Generation): (route: Route) => Message {
  const { define, propertiesOf, schemaOf } = components;
  const [node, service, agent] = [kinds.node, kinds.service, kinds.agent].map((kind) => messagesOf(components, kind));
  if (node === undefined || service === undefined || agent === undefined) throw new Error('three kinds');
  const force = { force: flag };
  const serviceFilters = { node_id: text, service_type: schemaOf('service_type'), external_group: text };
  const agentFilters = { pmm_agent_id: text, node_id: text, service_id: text, agent_type: schemaOf('agent_type') };
  const shownService = (type: string) => service.shownAs(type);
  const managed = [...managedServices, ...Object.values(managedRds)];
  const placed = {
    node_id: text,
    node_name: text,
    add_node: node.added('remote'),
    metrics_mode: schemaOf('metrics_mode'),
  };
  const managedProperties = (key: string): Properties =>
    joined(
      managed
        .filter((one) => one.key === key)
        .flatMap(({ service: type, agents }): Properties[] => [
          ...agents.map((one) => propertiesOf(agentDeclaration(one.type).fields, 'add')),
          ...agents.flatMap(({ flag: name }) => (name === undefined ? [] : [{ [name]: flag }])),
          propertiesOf(serviceDeclarations[type].fields, 'add'),
          placed,
          ...(key === 'rds'
            ? [
                propertiesOf(nodeDeclarations.remote_rds.fields, 'add'),
                { engine: schemaOf('discover_rds_engine'), instance_id: text },
              ]
            : []),
        ]),
    );
  const managedAdd = (key: string) => define(`Add${components.title(key)}Request`, object(managedProperties(key)));
  const managedReply = (key: string) =>
    define(
      `${components.title(key)}Result`,
      object(
        joined(
          managed
            .filter((one) => one.key === key)
            .map(({ service: type, agents }) => ({
              ...(key === 'rds'
                ? { node: node.shownAs('remote_rds'), [type]: shownService(type) }
                : { service: shownService(type) }),
              ...Object.fromEntries(agents.map((one) => [one.reply, nullable(agent.shownAs(one.type))])),
            })),
        ),
      ),
    );
  const keys = [...new Set(managed.map(({ key }) => key))];
  const byKey = (schema: (key: string) => Schema) => object(Object.fromEntries(keys.map((key) => [key, schema(key)])));
  const universal = {
    agent: define(
      'UniversalAgent',
      object({ ...propertiesOf(universalAgent, 'reply'), agent_type: text, status: text }),
    ),
    service: define(
      'UniversalService',
      object({
        ...propertiesOf(universalService, 'reply'),
        node_name: text,
        status: text,
        agents: list({ $ref: '#/components/schemas/UniversalAgent' }),
      }),
    ),
    node: define('UniversalNode', object({ ...propertiesOf(universalNode, 'reply'), status: text })),
  };
  const shownNode = (type: string) => nullable(node.shownAs(type));
  const registered = {
    ...{ generic_node: shownNode('generic'), container_node: shownNode('container') },
    ...{ pmm_agent: agent.shownAs('pmm_agent'), token: text, warning: text },
  };
  const version = define('VersionInfo', object({ version: text, full_version: text, timestamp: text }));
  const labels = { custom_labels: map };
  const messages: Readonly<Record<string, (route: Route) => Message>> = {
    listNodes: () => ({ fields: { node_type: schemaOf('node_type') }, reply: node.all }),
    getNode: () => ({ reply: node.got }),
    addNode: ({ type }) => ({
      body: type === undefined ? node.addable(nodeGroups) : node.added(type),
      reply: node.one,
    }),
    removeNode: () => ({ fields: force, reply: empty }),
    listServices: () => ({ fields: serviceFilters, reply: service.all }),
    getService: () => ({ reply: service.got }),
    addService: ({ type }) => ({
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
    listAgents: () => ({ fields: agentFilters, reply: agent.all }),
    getAgent: () => ({ reply: agent.got }),
    addAgent: ({ type }) => ({
      body: type === undefined ? agent.addable(addableAgents) : agent.added(type),
      reply: agent.one,
    }),
    changeAgent: ({ type }) => ({
      body:
        type === undefined
          ? agent.changeable(changeableAgents)
          : object({
              common: define(
                'ChangeCommonAgentParams',
                object({
                  enable: flag,
                  disable: flag,
                  ...labels,
                  remove_custom_labels: flag,
                  enable_push_metrics: flag,
                  disable_push_metrics: flag,
                  metrics_resolutions: components.refTo('MetricsResolutions'),
                }),
              ),
            }),
      reply: agent.one,
    }),
    removeAgent: () => ({ fields: force, reply: empty }),
    getAgentLogs: () => ({
      fields: { limit: unsigned },
      reply: object({ logs: texts, agent_config_log_lines_count: unsigned }),
    }),
    registerNode: () => ({
      body: define(
        'RegisterNodeRequest',
        object({
          ...propertiesOf(registrationFields, 'add'),
          node_type: schemaOf('node_type'),
          reregister: flag,
          metrics_mode: schemaOf('metrics_mode'),
          disable_collectors: texts,
          agent_password: { ...text, writeOnly: true, description: 'Discarded: no credential is stored.' },
          expose_exporter: flag,
        }),
      ),
      reply: define('RegisterNodeReply', object(registered)),
    }),
    unregisterNode: () => ({ fields: force, reply: object({ warning: text }) }),
    addManagedService: ({ type }) =>
      type === undefined
        ? {
            body: define('AddManagedServiceRequest', byKey(managedAdd)),
            reply: define('AddManagedServiceReply', byKey(managedReply)),
          }
        : { body: managedAdd(type), reply: managedReply(type) },
    removeManagedService: () => ({
      fields: {
        ...(generation === 2 ? { service_id: text, service_name: text } : {}),
        service_type: schemaOf('service_type'),
      },
      reply: empty,
    }),
    listUniversalNodes: () => ({
      fields: { node_type: schemaOf('node_type') },
      reply: object({ nodes: list(universal.node) }),
    }),
    getUniversalNode: () => ({ reply: object({ node: universal.node }) }),
    listUniversalServices: () => ({ fields: serviceFilters, reply: object({ services: list(universal.service) }) }),
    listUniversalAgents: () => ({
      fields: { node_id: text, service_id: text },
      reply: object({ agents: list(universal.agent) }),
    }),
    listAgentVersions: () => ({
      reply: object({
        agent_versions: list(object({ agent_id: text, version: text, node_name: text, severity: text })),
      }),
    }),
    addAnnotation: () => ({ fields: { text, tags: texts, node_name: text, service_names: texts }, reply: empty }),
    getPmmVersion: () => ({
      fields: { dummy: text },
      reply: object({ version: text, server: version, managed: version, distribution_method: text }),
    }),
    getSettings: () => ({ reply: object({ settings: empty }) }),
    getReadOnlySettings: () => ({ reply: object({ settings: empty }) }),
    getReadiness: () => ({ reply: empty }),
  };
  return (route) => found(messages[route.operation])(route);
}
