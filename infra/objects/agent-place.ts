import type { AgentPlace } from '../../clients/cdk/src/references.ts';
import type { DesiredAgent } from '../../clients/typescript/src/generated/types.ts';
import { agentTypeEntry } from '../../functions/domain/agent/types.ts';

/** The type of an agent determines what its reference to a node means. */
export function placeOf(agent: DesiredAgent): AgentPlace {
  const { place, watchesItsNode = false } = agentTypeEntry(agent.agent_type);
  return { place, watchesItsNode };
}
