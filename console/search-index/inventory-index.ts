import { byNumbers } from '../../shared/core/by-numbers.ts';
import { labelOf } from '../../functions/domain/fields/filterable-labels.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import {
  identifyingAttributes,
  type IndexedObject,
  indexed,
  labelAttributes,
  type PlainObject,
  searchableValues,
  type StoredObject,
  textOf,
  textsOf,
} from './indexed-object.ts';
import { type IndexFilters, testOf } from './match-filters.ts';
import { ordered, sortKeyOf } from './order.ts';
import { rankOf } from './rank.ts';

/** One result of a search. */
export interface SearchHit {
  kind: ObjectKind | 'cluster';
  /** The id; of a cluster its name. */
  id: string;
  name: string;
  /** Its type; of a cluster the number of its services. */
  type: string;
  /** The name of the node on which an agent runs. */
  place: string | undefined;
  /** The region of a node, the cluster of a service. */
  area: string | undefined;
  /** The field that contains the searched text, if the name does not. */
  match: { field: string; value: string } | undefined;
}

export interface SearchGroup {
  total: number;
  hits: readonly SearchHit[];
}

/** The results by kind, the best first. */
export type SearchResult = Readonly<Record<SearchHit['kind'], SearchGroup>>;

export interface IndexQuery {
  kind: ObjectKind;
  filters: IndexFilters;
  /** A field, or `label.` and the name of a label. Default: the order of the API. */
  sortBy: string | undefined;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface IndexPage {
  total: number;
  objects: readonly PlainObject[];
}

/** The object of a change of the feed. */
export interface ObjectChange {
  kind: ObjectKind;
  id: string;
  action: 'added' | 'changed' | 'removed';
  revision: number;
  before?: Readonly<Record<string, unknown>> | undefined;
  after?: Readonly<Record<string, unknown>> | undefined;
}

export type ValuesOfField = Readonly<Record<string, readonly string[]>>;

/** The most values of one field that are suggested. */
const MAX_VALUES = 1000;

const byCode = (left: string, right: string) => (left === right ? 0 : left < right ? -1 : 1);

const listOrder = (left: IndexedObject, right: IndexedObject) =>
  byCode(left.name, right.name) || byCode(left.id, right.id);

/** The best ones in the order of the list, and the number of all. */
function best<T extends { identifiers: readonly string[]; text: string }>(
  all: readonly T[],
  text: string,
  limit: number,
) {
  const words = text.split(/\s+/);
  const ranks: T[][] = [];
  let total = 0;
  for (const candidate of all) {
    if (!words.every((word) => candidate.text.includes(word))) continue;
    total += 1;
    const rank = (ranks[rankOf(candidate.identifiers, text)] ??= []);
    if (rank.length < limit) rank.push(candidate);
  }
  return { total, matches: ranks.flat().slice(0, limit) };
}

interface IndexedCluster {
  name: string;
  identifiers: readonly string[];
  text: string;
  services: number;
}

/**
 * The nodes, services and agents of an inventory in memory. A search reads the text of every object: for 20,000 objects
 * that takes a few milliseconds, so no structure needs to be kept up to date.
 */
export class InventoryIndex {
  readonly #objects = new Map<string, IndexedObject>();
  /** The objects of each kind in the order of the lists, until something changes. */
  readonly #sorted = new Map<ObjectKind, readonly IndexedObject[]>();
  #clusters: readonly IndexedCluster[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  objects(): readonly StoredObject[] {
    return [...this.#objects.values()].map(({ kind, object }) => ({ kind, object }));
  }

  clear(): void {
    this.#objects.clear();
    this.#changed();
  }

  add(stored: StoredObject): void {
    const object = indexed(stored);
    this.#objects.set(object.id, object);
    this.#changed();
  }

  /**
   * Applies a change of the feed. A change that the object already contains has no effect.
   *
   * @returns the new object; undefined for a removed one and for a change without effect.
   */
  take({ kind, id, action, revision, before = {}, after = {} }: ObjectChange): StoredObject | undefined {
    const existing = this.#objects.get(id)?.object;
    if (action === 'removed') {
      if (this.#objects.delete(id)) this.#changed();
      return undefined;
    }
    if (existing !== undefined && Number(existing['revision']) >= revision) return undefined;
    const kept = Object.entries(existing ?? {}).filter(([field]) => !Object.hasOwn(before, field));
    const { custom_labels: labels, ...fields }: Record<string, unknown> = {
      ...Object.fromEntries(kept),
      ...after,
      revision,
    };
    const stored = { kind, object: { ...fields, custom_labels: textsByName(labels) } };
    this.add(stored);
    return stored;
  }

  /** The objects whose values contain each word of a text, in any letter case. */
  search(text: string, limit: number): SearchResult {
    const lower = text.trim().toLowerCase();
    const of = (kind: ObjectKind): SearchGroup => {
      if (lower === '') return { total: 0, hits: [] };
      const { total, matches } = best(this.#inOrder(kind), lower, limit);
      return { total, hits: matches.map((match) => this.#hitOf(match, lower)) };
    };
    const clusters = lower === '' ? { total: 0, matches: [] } : best(this.#allClusters(), lower, limit);
    return {
      cluster: {
        total: clusters.total,
        hits: clusters.matches.map(({ name, services }) => ({
          kind: 'cluster',
          id: name,
          name,
          type: `${services} ${services === 1 ? 'service' : 'services'}`,
          place: undefined,
          area: undefined,
          match: undefined,
        })),
      },
      node: of('node'),
      service: of('service'),
      agent: of('agent'),
    };
  }

  /** A part of a list; undefined when the index cannot apply the filters. */
  list({ kind, filters, sortBy, descending, offset, limit }: IndexQuery): IndexPage | undefined {
    const matching = this.#matching(kind, filters);
    if (matching === undefined) return undefined;
    const sorted = this.#ordered(matching, sortBy, descending);
    return {
      total: sorted.length,
      objects: sorted.slice(offset, offset + limit).map(({ object }) => object),
    };
  }

  /** The different values of fields, sorted. */
  values(kind: ObjectKind, fields: readonly string[]): ValuesOfField {
    const valuesByName = new Map(fields.map((field) => [field, new Set<string>()]));
    for (const { object } of this.#inOrder(kind))
      for (const [field, values] of valuesByName) {
        const value = textOf(object, field);
        if (value !== undefined) values.add(value);
      }
    return sortedValues(valuesByName);
  }

  /** The names of all labels of a kind with their values, sorted. Of identifying attributes no values. */
  labels(kind: ObjectKind): ValuesOfField {
    const valuesByName = new Map<string, Set<string>>();
    for (const { object } of this.#inOrder(kind))
      for (const label of [...labelAttributes[kind], ...Object.keys(object.custom_labels)]) {
        const value = labelOf(kind, object, label);
        if (value === undefined) continue;
        const values = valuesByName.get(label) ?? new Set<string>();
        valuesByName.set(label, values);
        if (!identifyingAttributes.has(label)) values.add(value);
      }
    return sortedValues(new Map([...valuesByName].sort(([left], [right]) => byCode(left, right))));
  }

  /** The names of the clusters, sorted. */
  clusterNames(): readonly string[] {
    return this.#allClusters().map(({ name }) => name);
  }

  #changed(): void {
    this.#sorted.clear();
    this.#clusters = undefined;
  }

  #inOrder(kind: ObjectKind): readonly IndexedObject[] {
    const sortedObjects = this.#sorted.get(kind);
    if (sortedObjects !== undefined) return sortedObjects;
    const sorted = [...this.#objects.values()].filter((object) => object.kind === kind).sort(listOrder);
    this.#sorted.set(kind, sorted);
    return sorted;
  }

  #allClusters(): readonly IndexedCluster[] {
    if (this.#clusters !== undefined) return this.#clusters;
    const counts = new Map<string, number>();
    for (const { object } of this.#inOrder('service')) {
      const name = textOf(object, 'cluster');
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    this.#clusters = [...counts]
      .sort(([left], [right]) => byCode(left, right))
      .map(([name, services]) => ({ name, identifiers: [name.toLowerCase()], text: name.toLowerCase(), services }));
    return this.#clusters;
  }

  #nodesOf(cluster: string): ReadonlySet<string> {
    const members = this.#inOrder('service').filter(({ object }) => textOf(object, 'cluster') === cluster);
    return new Set(members.flatMap(({ object }) => textsOf(object, 'node_ids')));
  }

  #matching(kind: ObjectKind, filters: IndexFilters): readonly IndexedObject[] | undefined {
    const test = testOf(kind, filters, {
      objectOf: (id) => this.#objects.get(id)?.object,
      nodesOf: (cluster) => this.#nodesOf(cluster),
    });
    return test === undefined ? undefined : this.#inOrder(kind).filter(test);
  }

  #ordered(objects: readonly IndexedObject[], sortBy: string | undefined, descending: boolean) {
    if (sortBy === undefined) return descending ? objects.toReversed() : objects;
    return ordered(objects, (object) => sortKeyOf(object, sortBy, (id) => this.#objects.get(id)?.name), descending);
  }

  #hitOf({ kind, id, name, object }: IndexedObject, text: string): SearchHit {
    const node = textOf(object, 'runs_on_node_id');
    const [word = ''] = text.split(/\s+/).filter((word) => !includes(name, word));
    const matchingValue =
      word === '' ? undefined : searchableValues(kind, object).find(([, value]) => includes(value, word));
    return {
      kind,
      id,
      name,
      type: textOf(object, `${kind}_type`) ?? '',
      place: node === undefined ? undefined : this.#objects.get(node)?.name,
      area: textOf(object, kind === 'node' ? 'region' : 'cluster'),
      match: matchingValue === undefined ? undefined : { field: matchingValue[0], value: matchingValue[1] },
    };
  }
}

const includes = (value: string, text: string) => value.toLowerCase().includes(text);

function textsByName(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const sortedValues = (valuesByName: ReadonlyMap<string, ReadonlySet<string>>): ValuesOfField =>
  Object.fromEntries(
    [...valuesByName].map(([name, values]) => [name, [...values].sort(byNumbers).slice(0, MAX_VALUES)]),
  );
