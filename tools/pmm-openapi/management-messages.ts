import { agentDeclaration } from '../../functions/pmm/declarations/agents.ts';
import {
  type ManagedService,
  managedRds,
  managedServices,
  registrationFields,
  universalAgent,
  universalNode,
  universalService,
} from '../../functions/pmm/declarations/management.ts';
import { nodeDeclarations } from '../../functions/pmm/declarations/nodes.ts';
import { serviceDeclarations } from '../../functions/pmm/declarations/services.ts';
import { flag, joined, list, nullable, object, type Properties, type Schema, text, texts } from './components.ts';
import { type Context, empty, force, type Messages, serviceFilters } from './messages.ts';

const managed: readonly ManagedService[] = [...managedServices, ...Object.values(managedRds)];

const keys = [...new Set(managed.map(({ key }) => key))];

const ofKey = (key: string) => managed.filter((one) => one.key === key);

const byKey = (schema: (key: string) => Schema) => object(Object.fromEntries(keys.map((key) => [key, schema(key)])));

/** The fields of a request that adds a service with its agents. */
function requestOf({ components, node }: Context, key: string): Properties {
  const { propertiesOf, schemaOf } = components;
  const place = {
    node_id: text,
    node_name: text,
    add_node: node.added('remote'),
    metrics_mode: schemaOf('metrics_mode'),
  };
  const instance = { engine: schemaOf('discover_rds_engine'), instance_id: text };
  const ofService = ({ service, agents }: ManagedService): Properties[] => [
    ...agents.map((one) => propertiesOf(agentDeclaration(one.type).fields, 'add')),
    ...agents.flatMap(({ flag: name }) => (name === undefined ? [] : [{ [name]: flag }])),
    propertiesOf(serviceDeclarations[service].fields, 'add'),
    place,
    ...(key === 'rds' ? [propertiesOf(nodeDeclarations.remote_rds.fields, 'add'), instance] : []),
  ];
  return joined(ofKey(key).flatMap(ofService));
}

/** The members of its reply. */
function resultOf({ node, service, agent }: Context, key: string): Properties {
  const ofService = ({ service: type, agents }: ManagedService): Properties => {
    const shown = service.shownAs(type);
    const own = key === 'rds' ? { node: node.shownAs('remote_rds'), [type]: shown } : { service: shown };
    return { ...own, ...Object.fromEntries(agents.map((one) => [one.reply, nullable(agent.shownAs(one.type))])) };
  };
  return joined(ofKey(key).map(ofService));
}

/** The messages about services with their agents. */
export function managedMessages(context: Context): Messages {
  const { define, schemaOf, title } = context.components;
  const managedAdd = (key: string) => define(`Add${title(key)}Request`, object(requestOf(context, key)));
  const managedReply = (key: string) => define(`${title(key)}Result`, object(resultOf(context, key)));
  return {
    addManagedService: (type) =>
      type === undefined
        ? {
            body: define('AddManagedServiceRequest', byKey(managedAdd)),
            reply: define('AddManagedServiceReply', byKey(managedReply)),
          }
        : { body: managedAdd(type), reply: managedReply(type) },
    removeManagedService: () => ({
      fields: {
        ...(context.generation === 2 ? { service_id: text, service_name: text } : {}),
        service_type: schemaOf('service_type'),
      },
      reply: empty,
    }),
  };
}

/** The messages of a registration. */
export function registrationMessages({ components, node, agent }: Context): Messages {
  const { define, propertiesOf, schemaOf } = components;
  const shownNode = (type: string) => nullable(node.shownAs(type));
  const registered = {
    ...{ generic_node: shownNode('generic'), container_node: shownNode('container') },
    ...{ pmm_agent: agent.shownAs('pmm_agent'), token: text, warning: text },
  };
  return {
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
  };
}

/** The messages of the flat lists, and of annotations. */
export function universalMessages(context: Context): Messages {
  const { define, propertiesOf, schemaOf } = context.components;
  const agent = define(
    'UniversalAgent',
    object({ ...propertiesOf(universalAgent, 'reply'), agent_type: text, status: text }),
  );
  const withAgents = { status: text, agents: list(agent) };
  const services = list(object({ service_id: text, service_type: text, service_name: text }));
  const universal = {
    agent,
    service: define(
      'UniversalService',
      object({ ...propertiesOf(universalService, 'reply'), node_name: text, ...withAgents }),
    ),
    node: define('UniversalNode', object({ ...propertiesOf(universalNode, 'reply'), ...withAgents, services })),
  };
  return {
    listUniversalNodes: () => ({
      fields: { node_type: schemaOf('node_type') },
      reply: object({ nodes: list(universal.node) }),
    }),
    getUniversalNode: () => ({ reply: object({ node: universal.node }) }),
    listUniversalServices: () => ({
      fields: serviceFilters(context),
      reply: object({ services: list(universal.service) }),
    }),
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
  };
}
