import type { Table } from '../../shared/db/table.ts';
import { matchesSelector } from '../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../shared/selector/parse-selector.ts';
import type { Requirement } from '../../shared/selector/requirement.ts';
import { agentTypes } from '../catalogue/agent-types.ts';
import { nodeTypes } from '../catalogue/node-types.ts';
import { serviceTypes } from '../catalogue/service-types.ts';
import { type LabelAccess, labelOf, standardLabels } from '../catalogue/standard-labels.ts';
import { partitionsFor } from './facets.ts';
import {
  containerClaim,
  nodeNameClaim,
  type ObjectKind,
  objectKey,
  type Relation,
  relations,
  serviceNameClaim,
  typeOrder,
} from './keys.ts';
import { listById, listByIndex, listByReference, type Page, type PageOptions } from './lists.ts';
import { mustExist } from './objects.ts';
import { readItems } from './read.ts';
import { type Collection, intersection, type Known, type Range, readReferences, union } from './references.ts';
import type { Stored, StoredOf } from './stored.ts';

/** An object whose collection names what is asked for. */
export interface Related<Kind extends ObjectKind> {
  kind: ObjectKind;
  id: string;
  relation: Relation;
  /** Is it still so in the object as it was read? */
  holds: (object: StoredOf<Kind>['object']) => boolean;
}

/** What every list can be asked for. */
export interface Selection {
  selector?: string | undefined;
  /** RFC 3339. */
  updated_since?: string | undefined;
}

interface Question<Kind extends ObjectKind> {
  requirements: readonly Requirement[];
  selection: Selection;
  prefix?: string | undefined;
  related?: Related<Kind> | undefined;
}

/** A parameter that names one value of a label, as a requirement; none when it is not given. */
export function withValue(label: string, value: string | undefined): Requirement[] {
  return value === undefined ? [] : [{ label, operator: 'in', values: [value] }];
}

/** More than this many ways to the same objects cost more than they leave out. */
const MAX_SOURCES = 3;

const knownTypes: Readonly<Record<ObjectKind, readonly string[]>> = {
  node: nodeTypes,
  service: serviceTypes,
  agent: agentTypes,
};

/** The values of the first requirement on a label that is found in this way; undefined when there is none. */
function valuesBy(
  access: LabelAccess,
  kind: ObjectKind,
  requirements: readonly Requirement[],
): { label: string; values: readonly string[] } | undefined {
  for (const requirement of requirements)
    if (requirement.operator === 'in' && standardLabels[kind].get(requirement.label) === access) return requirement;
  return undefined;
}

const isPossibleId = (id: string) => id !== '' && id.length <= 36;

/** No name and no container id is longer. */
const MAX_UNIQUE_BYTES = 1020;

const claims = { node_name: nodeNameClaim, service_name: serviceNameClaim, container_id: containerClaim };

const isClaimed = (label: string): label is keyof typeof claims => Object.hasOwn(claims, label);

async function ownersOf(table: Table, label: string, values: readonly string[]): Promise<string[]> {
  if (!isClaimed(label)) throw new Error(`nothing claims ${label}`);
  const possible = [...new Set(values)].filter((value) => Buffer.byteLength(value) <= MAX_UNIQUE_BYTES);
  const items = await readItems(table, possible.map(claims[label]));
  return items.map(({ owner_id: id }) => String(id));
}

/** Ways to the objects, each by partitions that together name all of them: the fewest partitions first, then as given. */
function sourcesOf<Kind extends ObjectKind>(kind: Kind, { requirements, related }: Question<Kind>): Collection[][] {
  const byFacets = requirements
    .flatMap((requirement) => {
      const partitions = partitionsFor(kind, requirement);
      return partitions === undefined ? [] : [partitions.map((pk) => ({ pk, before: '' }))];
    })
    .toSorted((left, right) => left.length - right.length);
  const byRelation =
    related === undefined
      ? []
      : [[{ pk: objectKey(related.kind, related.id).pk, before: relations[related.relation] }]];
  return [...byRelation, ...byFacets].slice(0, MAX_SOURCES);
}

/** What all sources name, from their partitions read at the same time, each once. */
async function readSources(
  table: Table,
  [first, ...more]: readonly [Collection[], ...Collection[][]],
  range: Range,
): Promise<Known> {
  const reads = new Map<string, Promise<Known>>();
  const read = (collection: Collection): Promise<Known> => {
    const known = reads.get(collection.pk) ?? readReferences(table, collection, range);
    reads.set(collection.pk, known);
    return known;
  };
  const known = async (source: Collection[]) => union(await Promise.all(source.map(read)), range.size);
  return intersection(await Promise.all([known(first), ...more.map(known)]));
}

/** What is most likely to name the fewest objects decides what is read. Calls that need not wait are made at once. */
async function read<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: Question<Kind>,
  page: PageOptions,
  filter: (stored: Stored) => boolean,
): Promise<Page<Stored>> {
  const { requirements } = question;
  const types = valuesBy('type', kind, requirements)?.values;
  if (types?.some((type) => knownTypes[kind].includes(type)) === false) return { objects: [], next: undefined };
  const type = types?.length === 1 ? types[0] : undefined;
  const prefix = question.prefix ?? (kind === 'agent' && type !== undefined ? typeOrder(type) : '');
  const listing = { kind, prefix, filter };

  const ids = valuesBy('id', kind, requirements);
  if (ids !== undefined) return listById(table, listing, ids.values.filter(isPossibleId), page);
  const unique = valuesBy('unique', kind, requirements);
  if (unique !== undefined) return listById(table, listing, await ownersOf(table, unique.label, unique.values), page);
  const [first, ...more] = sourcesOf(kind, question);
  if (first === undefined) return listByIndex(table, { ...listing, type }, page);
  const range = { prefix, after: page.after?.[0], size: page.size };
  return listByReference(table, listing, await readSources(table, [first, ...more], range));
}

/**
 * Which objects of a kind match all of it? What is rarest picks what is read, the rest thins that out, so a page may be
 * short. Every object is judged as it was read, strongly consistent unless nothing but its type or name is asked for.
 *
 * @throws ApiError `notFound` when what it is to be related to is not there.
 */
export async function listObjects<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: Question<Kind>,
  page: PageOptions,
): Promise<Page<StoredOf<Kind>['object']>> {
  const { selection, related } = question;
  const selected = selection.selector === undefined ? [] : parseSelector(selection.selector);
  const requirements = [...question.requirements, ...selected];
  const since = selection.updated_since === undefined ? -Infinity : Date.parse(selection.updated_since);
  const isOfKind = (stored: Stored): stored is Stored & StoredOf<Kind> => stored.kind === kind;
  const filter = (stored: Stored) =>
    isOfKind(stored) &&
    matchesSelector(requirements, (label) => labelOf(kind, stored.object, label)) &&
    Date.parse(stored.object.updated_at) >= since &&
    (related === undefined || related.holds(stored.object));
  const [{ objects, next }] = await Promise.all([
    read(table, kind, { ...question, requirements }, page, filter),
    related === undefined ? undefined : mustExist(table, related.kind, related.id),
  ]);
  return { objects: objects.flatMap((stored) => (isOfKind(stored) ? [stored.object] : [])), next };
}
