import { agentDeclaration } from '../../functions/pmm/declarations/agents.ts';
import type { Field } from '../../functions/pmm/declarations/field.ts';
import { nodeDeclarations, nodeGroups } from '../../functions/pmm/declarations/nodes.ts';
import { serviceDeclarations, serviceGroups } from '../../functions/pmm/declarations/services.ts';
import { agentTypeEntry, type AgentType } from '../../functions/domain/agent/types.ts';
import type { NodeType } from '../../functions/domain/node/types.ts';
import type { ServiceType } from '../../functions/domain/service/types.ts';
import { CANARY, uniqueName } from './pmm-client.ts';

/** A value for each field type, as a PMM client sends it. */
const samples: Readonly<Record<string, unknown>> = {
  string: 'text',
  bool: true,
  int32: 7,
  uint32: 4242,
  int64: '1073741824',
  duration: '3s',
  strings: ['one', 'two'],
  labels: { team: 'shop' },
  map: { allowCleartextPasswords: '1' },
  rta_options: { collect_interval: '2s' },
  log_level: 'LOG_LEVEL_WARN',
  node_type: 'NODE_TYPE_GENERIC_NODE',
};

/** Fields whose values have a rule of their own. */
const special: Readonly<Record<string, unknown>> = {
  address: 'db-1',
  scheme: 'https',
  metrics_path: '/m',
  azure_database_resource_type: 'mysql',
  socket: undefined,
};

/** Each field that an add accepts, with a value; a canary in every credential. */
export function sampleOf(fields: readonly Field[]): Record<string, unknown> {
  const entries = fields.flatMap(({ add, type, isCredential }): [string, unknown][] => {
    if (add === undefined) return [];
    if (isCredential === true) return [[add, CANARY]];
    const value = Object.hasOwn(special, add) ? special[add] : samples[type];
    return value === undefined ? [] : [[add, value]];
  });
  return Object.fromEntries(entries);
}

/** What a reply shows of these fields when they have been sent. */
export function shownOf(fields: readonly Field[], sent: Record<string, unknown>): Record<string, unknown> {
  const entries = fields.flatMap(({ add, reply, native, isCredential }) =>
    add === undefined ||
    reply === undefined ||
    native === undefined ||
    isCredential === true ||
    !Object.hasOwn(sent, add)
      ? []
      : [[reply, sent[add]]],
  );
  return Object.fromEntries(entries);
}

export const nodeSample = (type: NodeType) => ({
  ...sampleOf(nodeDeclarations[type].fields),
  node_name: uniqueName('node'),
  region: uniqueName('region'),
  ...(type === 'container' ? { container_id: uniqueName('container') } : {}),
});

export const serviceSample = (type: ServiceType, nodeId: string) => ({
  ...sampleOf(serviceDeclarations[type].fields),
  service_name: uniqueName('service'),
  node_id: nodeId,
});

/** The service or node type that this agent type accepts as its target. */
export function targetOf(type: AgentType): { service?: ServiceType; node?: NodeType } {
  const { services, nodes, place } = agentTypeEntry(type);
  const target = agentDeclaration(type).fields.find(({ native }) => native?.startsWith('insights.'));
  if (target?.native === 'insights.node_ids') return { node: nodes.at(-1)! };
  if (place === 'anywhere') return { service: 'external' };
  return target === undefined ? {} : { service: services[0]! };
}

export { nodeGroups, serviceGroups };
