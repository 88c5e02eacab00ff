/** What an id stands for. */
export type Target = 'node' | 'service' | 'pmm_agent';

/** What the ids in a field stand for, as the name of the field says: `insights.node_ids` are of nodes. */
export function targetOf(path: string): Target | undefined {
  const [, target] = /(?:^|[_.])(node|service|pmm_agent)_ids?$/.exec(path) ?? [];
  return target === 'node' || target === 'service' || target === 'pmm_agent' ? target : undefined;
}
