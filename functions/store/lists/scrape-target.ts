import { isIPv6 } from 'node:net';
import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import type { IpAddress } from '../../../shared/net/network.ts';
import { isLoopback, reachableHost } from '../../domain/fields/address.ts';
import { type AgentType, agentTypeEntry, agentTypes } from '../../domain/agent/types.ts';
import { portSchema } from '../../domain/fields/port.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { type LabelAccess, targetAttributes } from '../../domain/fields/filterable-labels.ts';
import { scraperLabels, type TargetGroup } from '../../domain/discovery/target-group.ts';
import { labelBytes, META, META_LABEL, targetLabels } from '../../domain/discovery/target-labels.ts';
import type { AgentsWithTargets } from './agents-with-targets.ts';
import type { Agent, Node, Service, Entity } from '../entities/entity.ts';

/** Types of agents that can listen for a scraper. */
export const listeningTypes: readonly AgentType[] = agentTypes.filter((type) =>
  agentTypeEntry(type).options.includes('listen_port'),
);

const METRICS_PATH = '/metrics';

/**
 * The path of the metrics of an agent type, if it is not the usual one.
 * https://developer.hashicorp.com/nomad/api-docs/metrics and https://github.com/percona/rds_exporter
 */
const metricsPaths: Partial<Record<AgentType, (agent: Listening) => string>> = {
  nomad_agent: () => '/v1/metrics',
  rds_exporter: ({ disable_basic_metrics: withoutBasic }) => (withoutBasic === true ? '/enhanced' : '/basic'),
};

const parameters: Partial<Record<AgentType, Readonly<Record<string, string>>>> = {
  nomad_agent: { __param_format: 'prometheus' },
};

/** The options of an agent that scraping depends on; each type has some of them. */
const listeningSchema = z.object({
  listen_port: z.optional(portSchema),
  push_metrics: z.optional(z.boolean()),
  expose_exporter: z.optional(z.boolean()),
  disable_basic_metrics: z.optional(z.boolean()),
  scheme: z.optional(z.string()),
  metrics_path: z.optional(z.string()),
});

type Listening = z.output<typeof listeningSchema>;

type Labels = Record<string, string>;

/** The nodes and services of an agent, and its targets. */
interface ScrapeContext {
  /** The node that it runs on; if unknown, its target nodes, or the nodes of its services. */
  nodes: Node[];
  /** Its other target nodes. */
  insightNodes: Node[];
  services: Service[];
}

function objectsOf<T>(ids: readonly string[], objects: ReadonlyMap<string, T>): T[] {
  return [...new Set(ids)].flatMap((id) => objects.get(id) ?? []);
}

function scrapeContextOf(agent: Agent, { nodes, services }: AgentsWithTargets): ScrapeContext {
  const { runs_on_node_id: nodeId, insights } = agent;
  const targetServices = objectsOf(insights.service_ids, services);
  const targetNodes = objectsOf(insights.node_ids, nodes);
  if (nodeId !== undefined)
    return {
      nodes: objectsOf([nodeId], nodes),
      insightNodes: targetNodes.filter((node) => node.node_id !== nodeId),
      services: targetServices,
    };
  const behind = objectsOf(
    targetServices.flatMap(({ node_ids: ids }) => ids),
    nodes,
  );
  return { nodes: targetNodes.length > 0 ? targetNodes : behind, insightNodes: [], services: targetServices };
}

/** The value that all objects have in common; undefined when it differs or is missing in some of them. */
function common(objects: readonly object[], name: string): string | undefined {
  const values = new Set(objects.map((object): unknown => Object.getOwnPropertyDescriptor(object, name)?.value));
  const [value, ...others] = values;
  return others.length === 0 && typeof value === 'string' ? value : undefined;
}

/** The attributes of objects of a kind, by their names in selectors; for several objects, also their ids. */
function attributesOf(kind: Entity['kind'], objects: readonly object[], prefix = ''): Labels {
  const attributes: Labels = {};
  for (const [name] of targetAttributes(kind)) {
    const value = common(objects, name);
    if (value !== undefined) attributes[prefix + name] = value;
  }
  if (objects.length > 1) {
    const ids = objects.flatMap((object) => common([object], `${kind}_id`) ?? []);
    // Between commas, including the first and the last one, as in other service discoveries: so a pattern can match any
    // of them.
    attributes[`${prefix}${kind}_ids`] = `,${ids.join(',')},`;
  }
  return attributes;
}

/** From the general to the specific: a label of an object that is nearer to the agent takes precedence. */
function customLabelsOf(agent: Agent, { nodes, insightNodes, services }: ScrapeContext): ReadonlyMap<string, string> {
  const merged = new Map<string, string>();
  for (const objects of [nodes, insightNodes, services, [agent]]) {
    const labels = objects.map(({ custom_labels: customLabels }) => customLabels);
    for (const name of Object.keys(labels[0] ?? {})) {
      const value = common(labels, name);
      if (value !== undefined) merged.set(name, value);
    }
  }
  return merged;
}

/**
 * The host name or IP address, if it is unambiguous: that of the agent's node, or the only address of its targets. The
 * address of a service with a loopback address is that of its nodes.
 */
function addressOf(
  { runs_on_node_id: nodeId, insights }: Agent,
  { nodes, services }: ScrapeContext,
): string | undefined {
  const isOfNodes = nodeId !== undefined || insights.node_ids.length > 0;
  const addresses = isOfNodes
    ? nodes.map(({ address }) => address)
    : services.flatMap((service) => {
        const serviceAddress = common([service], 'address');
        const behind = nodes.filter((node) => service.node_ids.includes(node.node_id));
        return serviceAddress === undefined || isLoopback(serviceAddress)
          ? behind.map(({ address }) => address)
          : [serviceAddress];
      });
  const [address, ...others] = new Set(addresses);
  return others.length === 0 ? address : undefined;
}

const hostOf = (address: string) => (isIPv6(address) ? `[${address}]` : address);

/** An agent that can be scraped, with the values for selectors. */
export interface ScrapeTarget {
  group: TargetGroup;
  /** The number of custom labels that the group lacks because of its size. Selectors match them all the same. */
  dropped: number;
  /** About the size of the group in a reply. */
  bytes: number;
  /** Undefined for a host name. */
  ip: IpAddress | undefined;
  /** By their names in selectors. */
  attributes: Readonly<Labels>;
  custom: ReadonlyMap<string, string>;
}

/** The attributes with such an access, and the lists of ids. */
const attributesWith = (accesses: readonly LabelAccess[]): ReadonlySet<string> =>
  new Set(
    objectKinds.flatMap((kind) => {
      const attributeNames = targetAttributes(kind).flatMap(([name, access]) =>
        accesses.includes(access) ? [name] : [],
      );
      const all = [...attributeNames, `${kind}_ids`];
      return kind === 'node' ? [...all, ...all.map((name) => `insight_${name}`)] : all;
    }),
  );

const attributeNames = /* @__PURE__ */ lazily(() => attributesWith(['id', 'unique', 'type', 'label_index']));

/** Names that no custom label of a target has; attributes that identify an object also where the target has none. */
const reservedLabels = /* @__PURE__ */ lazily(
  (): ReadonlySet<string> => new Set([...scraperLabels, ...attributesWith(['id', 'unique'])]),
);

/** The value of a label: an attribute under its own name, or a custom label unless an attribute has the same name. */
export const valueOfTarget = ({ attributes, custom }: ScrapeTarget, label: string): string | undefined =>
  attributeNames().has(label) ? attributes[label] : custom.get(label);

/** Where a scraper runs: anywhere, or on the host of the agents. */
export type ScraperPlace = 'anywhere' | 'host';

const LOOPBACK = '127.0.0.1';

/**
 * The address in a target, and labels that follow from it. On its host, an exporter that the agent process started
 * listens on the loopback interface, or on all. `instance` is the same for every scraper.
 */
function endpointOf(agent: Agent, port: number, address: string, from: ScraperPlace): [target: string, labels: Labels] {
  const instance = `${hostOf(address)}:${port}`;
  if (from === 'anywhere' || agent.pmm_agent_id === undefined) return [instance, {}];
  return [`${LOOPBACK}:${port}`, { instance }];
}

/** The port of an agent; undefined if it is disabled, has no known one, or pushes its metrics to a scraper elsewhere. */
export function scrapedPort(
  agent: Agent,
  reportedPorts: AgentsWithTargets['reportedPorts'],
  from: ScraperPlace = 'anywhere',
): number | undefined {
  const { push_metrics: pushes, listen_port: declared } = z.parse(listeningSchema, agent);
  if (agent.disabled || (pushes === true && from === 'anywhere')) return undefined;
  return declared ?? reportedPorts.get(agent.agent_id);
}

/**
 * The agent as a target; undefined when it cannot be scraped: it is disabled, has no known address or port, or others
 * cannot reach it. One that pushes its metrics is a target only on its host, where a scraper pushes them.
 */
export function targetOf(
  agent: Agent,
  context: AgentsWithTargets,
  from: ScraperPlace = 'anywhere',
): ScrapeTarget | undefined {
  const options = z.parse(listeningSchema, agent);
  const { push_metrics: pushes, expose_exporter: exposed } = options;
  const port = scrapedPort(agent, context.reportedPorts, from);
  if (port === undefined) return undefined;
  const around = scrapeContextOf(agent, context);
  const address = addressOf(agent, around);
  const host = address === undefined ? undefined : reachableHost(address);
  if (address === undefined || host === undefined) return undefined;
  const [target, ownLabels] = endpointOf(agent, port, address, from);
  const attributes: Labels = {
    ...attributesOf('node', around.nodes),
    ...attributesOf('node', around.insightNodes, 'insight_'),
    ...attributesOf('service', around.services),
    ...attributesOf('agent', [agent]),
  };
  const custom = customLabelsOf(agent, around);
  const labels: Labels = {
    __metrics_path__: options.metrics_path ?? metricsPaths[agent.agent_type]?.(options) ?? METRICS_PATH,
    __scheme__: options.scheme ?? 'http',
    ...parameters[agent.agent_type],
    job: agent.agent_type,
    ...(exposed === undefined ? {} : { [`${META}expose_exporter`]: String(exposed) }),
    ...(pushes === true ? { [`${META}push_metrics`]: 'true' } : {}),
    ...ownLabels,
  };
  for (const [name, value] of Object.entries(attributes)) labels[META + name] = value;
  // Configurations give custom labels their own names: there they must not take the place of others.
  const others = new Set(Object.keys(labels));
  const named = [...custom].filter(([name]) => !reservedLabels().has(name) && !others.has(META + name));
  const fitting = targetLabels(labels, new Map(named));
  return {
    ip: host.ip,
    group: { targets: [target], labels: fitting.labels },
    dropped: fitting.dropped,
    bytes: fitting.bytes,
    attributes,
    custom,
  };
}

/** The most bytes that an object adds to the labels of a target. */
export function labelBytesOf({ kind, object }: Entity): number {
  const attributes = Object.entries(attributesOf(kind, [object], 'insight_'));
  const path = kind === 'agent' ? (z.parse(listeningSchema, object).metrics_path ?? '') : '';
  const custom = Object.entries(object.custom_labels);
  return (
    labelBytes('', path) +
    attributes.reduce((sum, [name, value]) => sum + labelBytes(META + name, value), 0) +
    custom.reduce((sum, [name, value]) => sum + labelBytes(META_LABEL + name, value), 0)
  );
}
