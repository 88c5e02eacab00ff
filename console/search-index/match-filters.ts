import { labelOf } from '../../functions/domain/fields/filterable-labels.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { matchesSelector } from '../../shared/selector/matches-selector.ts';
import { parseSelector, SelectorError } from '../../shared/selector/parse-selector.ts';
import { withApiValues } from './no-value.ts';
import { disabledText, indexed, type IndexedObject, type PlainObject, textOf, textsOf } from './indexed-object.ts';

/** Filters of a list as text, as in the address. */
export type IndexFilters = Readonly<Record<string, string | undefined>>;

type Test = (object: IndexedObject) => boolean;

/** The objects to which those of a list are related. */
export interface Relations {
  objectOf: (id: string) => PlainObject | undefined;
  /** The ids of the nodes on which the services of a cluster run. */
  nodesOf: (cluster: string) => ReadonlySet<string>;
}

type TestOf = (value: string, relations: Relations) => Test | undefined;

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

/** As selectors read it: only text, and never a custom label of the same name. An empty value: none. */
const attributeIs =
  (field: string): TestOf =>
  (value) =>
  ({ kind, object }) =>
    (labelOf(kind, object, field) ?? '') === value;

/** The ids of the objects through which an object has the attributes of another kind, as the server finds them. */
function ownersOf({ kind, object }: IndexedObject, owner: 'node' | 'service'): readonly string[] {
  if (owner === 'service') return insights(object, 'service_ids');
  if (kind === 'service') return textsOf(object, 'node_ids');
  const place = textOf(object, 'runs_on_node_id');
  return place === undefined ? insights(object, 'node_ids') : [place];
}

const relatedIs =
  (owner: 'node' | 'service', field: string): TestOf =>
  (value, { objectOf }) =>
  (object) => {
    const values = ownersOf(object, owner).flatMap((id) => {
      const related = objectOf(id);
      return related === undefined ? [] : (labelOf(owner, related, field) ?? []);
    });
    return value === '' ? values.length === 0 : values.includes(value);
  };

const namePrefix: TestOf =
  (prefix) =>
  ({ name }) =>
    name.startsWith(prefix);

const contains =
  (textOfOne: (object: IndexedObject) => string): TestOf =>
  (part) =>
  (object) =>
    textOfOne(object).toLowerCase().includes(part.toLowerCase());

/** The API has no such filters. */
const parts: Readonly<Record<string, TestOf>> = {
  name_contains: contains(({ name }) => name),
  address_contains: contains(({ object }) => textOf(object, 'address') ?? ''),
};

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
  node: {
    ...common,
    ...parts,
    node_type: attributeIs('node_type'),
    name_prefix: namePrefix,
    region: attributeIs('region'),
    az: attributeIs('az'),
    cluster: (cluster, { nodesOf }) => {
      const ids = nodesOf(cluster);
      return ({ id }) => ids.has(id);
    },
  },
  service: {
    ...common,
    ...parts,
    // The API has no such filter.
    port: fieldIs('port'),
    service_type: attributeIs('service_type'),
    name_prefix: namePrefix,
    cluster: attributeIs('cluster'),
    environment: attributeIs('environment'),
    group: attributeIs('group'),
    region: relatedIs('node', 'region'),
    az: relatedIs('node', 'az'),
    version:
      (value) =>
      ({ object }) =>
        (textOf(object, 'version') ?? '') === value,
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
    region: relatedIs('node', 'region'),
    az: relatedIs('node', 'az'),
    cluster: relatedIs('service', 'cluster'),
    environment: relatedIs('service', 'environment'),
    // The API has no such filters.
    port: fieldIs('listen_port'),
    disabled:
      (value) =>
      ({ object }) =>
        disabledText(object) === value,
  },
};

/**
 * The filters of a list as a test of one object, with the same result as on the server.
 *
 * @returns undefined when the index cannot decide: for a filter by reported state, an unknown filter or an invalid value.
 */
export function testOf(kind: ObjectKind, filters: IndexFilters, relations: Relations): Test | undefined {
  const all: Test[] = [];
  for (const [name, value] of Object.entries(withApiValues(filters))) {
    if (value === undefined) continue;
    const test = tests[kind][name]?.(value, relations);
    if (test === undefined) return undefined;
    all.push(test);
  }
  return (object) => all.every((test) => test(object));
}

const noRelations: Relations = { objectOf: () => undefined, nodesOf: () => new Set() };

/**
 * The filters that concern an object alone as a test of it.
 *
 * @throws Error for filters that the index cannot decide: a list would have objects that it should not have.
 */
export function testOfObject(kind: ObjectKind, filters: IndexFilters): (object: PlainObject) => boolean {
  const test = testOf(kind, filters, noRelations);
  if (test === undefined) throw new Error(`not decidable: ${Object.keys(filters).join(', ')}`);
  return (object) => test(indexed({ kind, object }));
}

/** Whether the index can apply these filters. */
export const canFilter = (kind: ObjectKind, filters: IndexFilters): boolean =>
  testOf(kind, filters, noRelations) !== undefined;
