import type { AgentType } from '../../../domain/agent/types.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { nouns, type Entity } from '../../../store/entities/entity.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';
import type { Difference } from './field-changes.ts';

/** The identification of an object in names that clients know. */
export interface ObjectNames {
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
  named: ObjectNames;
  /** The object as it was read. */
  old?: Entity;
  /** The object as it will be. */
  next?: Entity;
  changes: Difference[];
  /** Why the step cannot be performed. */
  blocked?: string;
  /** The steps that must be performed before. */
  after: Set<Step>;
}

/** The scope snapshot, and the steps that are planned so far. */
export interface Situation {
  there: ScopeSnapshot;
  /** By the id of the object. */
  steps: Map<string, Step>;
}

export function nodeNameOf({ there: snapshot, steps }: Situation, id: string): string {
  const next = steps.get(id)?.next;
  return snapshot.nodes.get(id)?.node_name ?? (next?.kind === 'node' ? next.object.node_name : id);
}

function serviceNameOf({ there: snapshot, steps }: Situation, id: string): string {
  const next = steps.get(id)?.next;
  return snapshot.services.get(id)?.service_name ?? (next?.kind === 'service' ? next.object.service_name : id);
}

export function namedOf(situation: Situation, entity: Entity): ObjectNames {
  if (entity.kind === 'node') return { node_name: entity.object.node_name };
  if (entity.kind === 'service') return { service_name: entity.object.service_name };
  const { agent_type: type, runs_on_node_id: nodeId, insights } = entity.object;
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
  { node_name, service_name, agent_type, runs_on_node_name: place }: ObjectNames,
): string {
  if (kind !== 'agent') return `${nouns[kind]} "${node_name ?? service_name ?? ''}"`;
  return `${nouns.agent} ${agent_type ?? ''}${place === undefined ? '' : ` on node "${place}"`}`;
}

export const blockedByReason = (label: string) => `Requires ${label}, which is blocked.`;
