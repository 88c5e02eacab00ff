import { agentTypeEntry, agentTypes } from '../../functions/domain/agent/types.ts';

function entryOf(type: string) {
  const candidate = agentTypes.find((candidate) => candidate === type);
  return candidate === undefined ? undefined : agentTypeEntry(candidate);
}

const list = (types: readonly string[]) => types.join(', ');

/** The possible targets of an agent of this type, as a hint in the form. */
export function insightHint(type: string, path: string): string | undefined {
  const entry = entryOf(type);
  if (entry === undefined) return undefined;
  if (path === 'insights.service_ids') return `Services of the type ${list(entry.services)}.`;
  if (path === 'insights.node_ids')
    return `Nodes of the type ${list(entry.nodes)}.${entry.watchesItsNode === true ? ' Default: the node that it runs on.' : ''}`;
  return undefined;
}

/** Whether agents of the type can have targets of this kind. */
export function takesInsights(type: string, path: string): boolean {
  const entry = entryOf(type);
  if (entry === undefined) return true;
  if (path === 'insights.service_ids') return entry.services.length > 0;
  if (path === 'insights.node_ids') return entry.nodes.length > 0;
  return path !== 'insights' || entry.services.length + entry.nodes.length > 0;
}

/**
 * The first type of agent that watches services of this type: the default of a form that starts with such a service.
 */
export function watcherOf(serviceType: string): string {
  return agentTypes.find((type) => agentTypeEntry(type).services.some((candidate) => candidate === serviceType)) ?? '';
}
