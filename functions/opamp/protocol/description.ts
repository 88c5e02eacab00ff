import { createHash } from 'node:crypto';
import { displayable } from './displayable.ts';
import type { AgentToServer } from './messages.ts';

/** The identity of an agent, from its description. */
export interface CollectorDescription {
  /** `service.name`; with the node the key of the agent. The instance uid is not: it changes at every start. */
  collectorName: string;
  version: string | undefined;
  /** The name of its node, for callers whose key does not state the node. */
  nodeName: string | undefined;
  /** `host.name`. */
  hostName: string | undefined;
  /** Equal for descriptions that declare the same. */
  digest: string;
}

/** The attributes that name the node, in order of preference. */
const NODE_ATTRIBUTES = ['inventory.node_name', 'host.id', 'host.name'] as const;

/** The name that OpenTelemetry gives to a service without one. */
const UNNAMED = 'unknown_service';

const MAX_NAME = 512;
const MAX_VERSION = 64;

/** @returns undefined for a message without a description. */
export function describedIn({
  agentDescription,
}: Pick<AgentToServer, 'agentDescription'>): CollectorDescription | undefined {
  if (agentDescription === undefined) return undefined;
  const { identifyingAttributes, nonIdentifyingAttributes } = agentDescription;
  const attributes = new Map(
    [...nonIdentifyingAttributes, ...identifyingAttributes].flatMap(({ key, value }) =>
      value?.value.case === 'stringValue' ? [[key, value.value.value] as const] : [],
    ),
  );
  const get = (name: string, max: number) => displayable(attributes.get(name) ?? '', max);
  const collectorName = get('service.name', MAX_NAME) ?? UNNAMED;
  const nodeName = NODE_ATTRIBUTES.map((name) => get(name, MAX_NAME)).find((name) => name !== undefined);
  const version = get('service.version', MAX_VERSION);
  const hostName = get('host.name', MAX_NAME);
  const digest = createHash('sha256')
    .update(JSON.stringify([collectorName, nodeName, hostName]))
    .digest('hex');
  return { collectorName, version, nodeName, hostName, digest };
}
