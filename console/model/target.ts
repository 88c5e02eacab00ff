/** The kind of object that an id names. */
export type TargetKind = 'node' | 'service' | 'pmm_agent';

/** The kind of object that the ids in a field name, from the name of the field: `insights.node_ids` names nodes. */
export function targetOf(path: string): TargetKind | undefined {
  const [, target] = /(?:^|[_.])(node|service|pmm_agent)_ids?$/.exec(path) ?? [];
  return target === 'node' || target === 'service' || target === 'pmm_agent' ? target : undefined;
}
