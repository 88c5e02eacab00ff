import type { AgentType } from '../../../domain/agent/types.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { nouns, type Stored } from '../../../store/entities/entity.ts';
import type { Surroundings } from '../../../store/lists/scope-snapshot.ts';
import type { Difference } from './field-changes.ts';

/** An object by what clients know it by. */
export interface Named {
  node_name?: string;
  service_name?: string;
  agent_type?: AgentType;
  runs_on_node_name?: string;
  insights?: { node_names: string[]; service_names: string[] };
}

export interface Step {
  action: 'add' | 'change' | 'remove';
  kind: ObjectKind;
  id: string;
  named: Named;
  /** The object as it was read. */
  old?: Stored;
  /** The object as it is to be. */
  next?: Stored;
  changes: Difference[];
  /** Why it cannot be done. */
  blocked?: string;
  /** What has to be done before. */
  after: Set<Step>;
}

/** What is there, and what is to be done so far. */
export interface Situation {
  there: Surroundings;
  /** By the id of the object. */
  steps: Map<string, Step>;
}

export function nodeNameOf({ there, steps }: Situation, id: string): string {
  const next = steps.get(id)?.next;
  return there.nodes.get(id)?.node_name ?? (next?.kind === 'node' ? next.object.node_name : id);
}

function serviceNameOf({ there, steps }: Situation, id: string): string {
  const next = steps.get(id)?.next;
  return there.services.get(id)?.service_name ?? (next?.kind === 'service' ? next.object.service_name : id);
}

export function namedOf(situation: Situation, stored: Stored): Named {
  if (stored.kind === 'node') return { node_name: stored.object.node_name };
  if (stored.kind === 'service') return { service_name: stored.object.service_name };
  const { agent_type: type, runs_on_node_id: nodeId, insights } = stored.object;
  return {
    agent_type: type,
    ...(nodeId === undefined ? {} : { runs_on_node_name: nodeNameOf(situation, nodeId) }),
    insights: {
      node_names: insights.node_ids.map((id) => nodeNameOf(situation, id)),
      service_names: insights.service_ids.map((id) => serviceNameOf(situation, id)),
    },
  };
}

export function label(
  kind: ObjectKind,
  { node_name, service_name, agent_type, runs_on_node_name: place }: Named,
): string {
  if (kind !== 'agent') return `${nouns[kind]} "${node_name ?? service_name ?? ''}"`;
  return `${nouns.agent} ${agent_type ?? ''}${place === undefined ? '' : ` on node "${place}"`}`;
}

export const waitingFor = (label: string) => `Waits for ${label}, which is blocked.`;
