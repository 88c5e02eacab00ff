import { agentKeys } from '../../../store/entities/agent-natural-key.ts';
import { type Agent, type Entity, idOf } from '../../../store/entities/entity.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';

/** The existing objects inside the scope. */
export function objectsWithin(snapshot: ScopeSnapshot): Entity[] {
  const within = (entity: Entity) => snapshot.within.has(idOf(entity));
  return [
    ...Array.from(snapshot.agents.values(), (object): Entity => ({ kind: 'agent', object })),
    ...Array.from(snapshot.services.values(), (object): Entity => ({ kind: 'service', object })),
    ...Array.from(snapshot.nodes.values(), (object): Entity => ({ kind: 'node', object })),
  ].filter(within);
}

/** The agents inside the scope, by natural key. */
export function agentsByKey({ agents, within }: ScopeSnapshot): Map<string, Agent[]> {
  const free = new Map<string, Agent[]>();
  for (const agent of agents.values())
    if (within.has(agent.agent_id))
      for (const key of agentKeys(agent)) free.set(key, [...(free.get(key) ?? []), agent]);
  return free;
}
