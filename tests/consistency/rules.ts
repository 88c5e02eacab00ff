/**
 * What the types of agents that these tests use may give insight into. Written down a second time on purpose, from the
 * requirements: a checker that took it from the code under test would share its mistakes.
 */
interface InsightRule {
  nodes: readonly string[] | 'any';
  services: readonly string[] | 'any';
  /** The node that it runs on will do, whatever its type. */
  ownNode: boolean;
}

const rules: Readonly<Record<string, InsightRule>> = {
  pmm_agent: { nodes: [], services: [], ownNode: false },
  node_exporter: { nodes: ['generic', 'container'], services: [], ownNode: true },
  mysqld_exporter: { nodes: [], services: ['mysql'], ownNode: false },
  external_exporter: { nodes: 'any', services: 'any', ownNode: true },
};

interface PlacedAgent {
  agent_type: string;
  runs_on_node_id?: string | undefined;
}

/** May an agent give insight into this target? An agent of a type that has no rule here may. */
export function mayGiveInsight(
  agent: PlacedAgent,
  kind: 'node' | 'service',
  target: { id: string; type: string },
): boolean {
  const rule = rules[agent.agent_type];
  if (rule === undefined) return true;
  if (kind === 'node' && rule.ownNode && agent.runs_on_node_id === target.id) return true;
  const accepted = kind === 'node' ? rule.nodes : rule.services;
  return accepted === 'any' || accepted.includes(target.type);
}
