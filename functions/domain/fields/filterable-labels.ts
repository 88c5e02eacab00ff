/**
 * How objects with one value of a label are found. `id`: by their key. `unique`: by the claim that makes the value
 * unique. `type`: by the order or an index of lists. `facet`: by items of its own, as for labels of one's own.
 */
export type LabelAccess = 'id' | 'unique' | 'type' | 'facet';

/**
 * The attributes that selectors know as labels, under their own names. They win: a custom label of such a name is kept
 * and shown, but a selector never sees it, whether the attribute is set or not.
 */
export const standardLabels: Readonly<Record<'node' | 'service' | 'agent', ReadonlyMap<string, LabelAccess>>> = {
  node: new Map<string, LabelAccess>([
    ['node_id', 'id'],
    ['node_name', 'unique'],
    ['node_type', 'type'],
    ['machine_id', 'facet'],
    ['container_id', 'unique'],
    ['container_name', 'facet'],
    ['node_model', 'facet'],
    ['region', 'facet'],
    ['az', 'facet'],
    ['instance_id', 'facet'],
  ]),
  service: new Map<string, LabelAccess>([
    ['service_id', 'id'],
    ['service_name', 'unique'],
    ['service_type', 'type'],
    ['environment', 'facet'],
    ['cluster', 'facet'],
    ['replication_set', 'facet'],
    ['group', 'facet'],
  ]),
  agent: new Map<string, LabelAccess>([
    ['agent_id', 'id'],
    ['agent_type', 'type'],
  ]),
};

/** The value that a selector sees; undefined when the object has no such label. */
export function labelOf(
  kind: keyof typeof standardLabels,
  object: Readonly<Record<string, unknown>> & { readonly custom_labels: Readonly<Record<string, string>> },
  label: string,
): string | undefined {
  const values: Readonly<Record<string, unknown>> = standardLabels[kind].has(label) ? object : object.custom_labels;
  const value = Object.hasOwn(values, label) ? values[label] : undefined;
  return typeof value === 'string' ? value : undefined;
}
