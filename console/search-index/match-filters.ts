import { labelOf } from '../../functions/domain/fields/filterable-labels.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { matchesSelector } from '../../shared/selector/matches-selector.ts';
import { parseSelector, SelectorError } from '../../shared/selector/parse-selector.ts';
import { disabledText, type IndexedObject, type PlainObject, textOf, textsOf } from './indexed-object.ts';

/** Filters of a list as text, as in the address. */
export type IndexFilters = Readonly<Record<string, string | undefined>>;

type Test = (one: IndexedObject) => boolean;

type TestOf = (value: string, clusterOf: (serviceId: string) => string | undefined) => Test | undefined;

function insights(object: PlainObject, field: 'node_ids' | 'service_ids'): readonly string[] {
  const value = object['insights'];
  if (typeof value !== 'object' || value === null) return [];
  return textsOf({ ...value, custom_labels: {} }, field);
}

const fieldIs =
  (field: string): TestOf =>
  (value) =>
  ({ object }) =>
    textOf(object, field) === value;

/** As selectors read it: only text, and never a custom label of the same name. */
const attributeIs =
  (field: string): TestOf =>
  (value) =>
  ({ kind, object }) =>
    labelOf(kind, object, field) === value;

const namePrefix: TestOf =
  (prefix) =>
  ({ name }) =>
    name.startsWith(prefix);

const selector: TestOf = (text) => {
  try {
    const requirements = parseSelector(text);
    return ({ kind, object }) => matchesSelector(requirements, (label) => labelOf(kind, object, label));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
};

const updatedSince: TestOf = (text) => {
  const since = Date.parse(text);
  if (Number.isNaN(since)) return undefined;
  return ({ object }) => Date.parse(textOf(object, 'updated_at') ?? '') >= since;
};

const common: Readonly<Record<string, TestOf>> = { selector, updated_since: updatedSince };

const tests: Readonly<Record<ObjectKind, Readonly<Record<string, TestOf>>>> = {
  node: { ...common, node_type: attributeIs('node_type'), name_prefix: namePrefix, region: attributeIs('region') },
  service: {
    ...common,
    service_type: attributeIs('service_type'),
    name_prefix: namePrefix,
    cluster: attributeIs('cluster'),
    environment: attributeIs('environment'),
    group: attributeIs('group'),
    node_id:
      (id) =>
      ({ object }) =>
        textsOf(object, 'node_ids').includes(id),
  },
  agent: {
    ...common,
    agent_type: attributeIs('agent_type'),
    runs_on_node_id: fieldIs('runs_on_node_id'),
    pmm_agent_id: fieldIs('pmm_agent_id'),
    node_id:
      (id) =>
      ({ object }) =>
        insights(object, 'node_ids').includes(id),
    service_id:
      (id) =>
      ({ object }) =>
        insights(object, 'service_ids').includes(id),
    // The API has none of these two.
    disabled:
      (value) =>
      ({ object }) =>
        disabledText(object) === value,
    cluster:
      (cluster, clusterOf) =>
      ({ object }) =>
        insights(object, 'service_ids').some((id) => clusterOf(id) === cluster),
  },
};

/**
 * The filters of a list as a test of one object, with the same result as on the server.
 *
 * @returns undefined when the index cannot decide: for a filter by reported state, an unknown filter or an invalid value.
 */
export function testOf(
  kind: ObjectKind,
  filters: IndexFilters,
  clusterOf: (serviceId: string) => string | undefined,
): Test | undefined {
  const all: Test[] = [];
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    const test = tests[kind][name]?.(value, clusterOf);
    if (test === undefined) return undefined;
    all.push(test);
  }
  return (one) => all.every((test) => test(one));
}

/** Whether the index can apply these filters. */
export const canFilter = (kind: ObjectKind, filters: IndexFilters): boolean =>
  testOf(kind, filters, () => undefined) !== undefined;
