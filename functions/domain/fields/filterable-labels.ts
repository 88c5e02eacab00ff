import type { ObjectKind } from './object-kind.ts';

/**
 * How objects with a value of a label are found. `id`: by their key. `unique`: by the claim that makes the value
 * unique. `type`: by the sort order or an index of lists. `label_index`: by label index entries, as for custom labels.
 * `name_claim`: by the claims of names, which an index lists by the value.
 */
export type LabelAccess = 'id' | 'unique' | 'type' | 'label_index' | 'name_claim';

/**
 * The attributes that selectors treat as labels, under their own names. They take precedence: a custom label with such
 * a name is stored and returned, but selectors ignore it, whether the attribute is set or not.
 */
export const standardLabels: Readonly<Record<ObjectKind, ReadonlyMap<string, LabelAccess>>> = {
  node: new Map<string, LabelAccess>([
    ['node_id', 'id'],
    ['node_name', 'unique'],
    ['node_type', 'type'],
    ['address', 'name_claim'],
    ['machine_id', 'label_index'],
    ['container_id', 'unique'],
    ['container_name', 'label_index'],
    ['node_model', 'label_index'],
    ['region', 'label_index'],
    ['az', 'label_index'],
    ['instance_id', 'label_index'],
  ]),
  service: new Map<string, LabelAccess>([
    ['service_id', 'id'],
    ['service_name', 'unique'],
    ['service_type', 'type'],
    ['address', 'name_claim'],
    ['environment', 'label_index'],
    ['cluster', 'label_index'],
    ['replication_set', 'label_index'],
    ['group', 'label_index'],
  ]),
  agent: new Map<string, LabelAccess>([
    ['agent_id', 'id'],
    ['agent_type', 'type'],
  ]),
};

/** The attributes of an object that targets show as labels: all but the address, as a target has its own. */
export const targetAttributes = (kind: ObjectKind): (readonly [label: string, access: LabelAccess])[] =>
  [...standardLabels[kind]].filter(([label]) => label !== 'address');

/** The value for a selector; undefined when the object does not have the label. */
export function labelOf(
  kind: keyof typeof standardLabels,
  object: Readonly<Record<string, unknown>> & { readonly custom_labels: Readonly<Record<string, string>> },
  label: string,
): string | undefined {
  const values: Readonly<Record<string, unknown>> = standardLabels[kind].has(label) ? object : object.custom_labels;
  const value = Object.hasOwn(values, label) ? values[label] : undefined;
  return typeof value === 'string' ? value : undefined;
}
