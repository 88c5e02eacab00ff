import type { Table } from '../../../shared/db/table.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import { standardLabels, targetAttributes } from '../../domain/fields/filterable-labels.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import { idsInEdges } from '../entities/derived-items.ts';
import type { Agent } from '../entities/entity.ts';
import { objectsById } from '../entities/get.ts';
import { partitionsFor } from '../entities/label-index.ts';
import { indexes, listPartition, objectKey, relations, typeOrder } from '../table/keys.ts';
import { queryCount, readCollection } from '../table/read.ts';
import { readReferences } from './merge-references.ts';

/** With more objects that have a label, their collections take too long. */
const MAX_OWNERS = 2000;

/** Reading the agents of an object that has a label costs some 12 times what reading a node of the list, with its agents, does. */
const COLLECTIONS_WORTH_A_LIST = 12;

/** Collections that are read at the same time. */
const AT_ONCE = 100;

/** The only type whose agents can run on no node. */
const UNPLACED_TYPE: AgentType = 'external_exporter';

/** The prefix of the names of the attributes of nodes into which an agent gives insight, in selectors of targets. */
const INSIGHT = 'insight_';

interface Owner {
  kind: ObjectKind;
  id: string;
}

const kindsWith = (attribute: string): ObjectKind[] =>
  objectKinds.filter((kind) => targetAttributes(kind).some(([name]) => name === attribute));

/**
 * The kinds of objects from which a target has a label, and its name there: the attribute of a kind, else a custom label of any.
 * Undefined for a custom label that the index does not contain, because it has the name of an attribute.
 */
function originsOf(label: string): { kinds: readonly ObjectKind[]; name: string } | undefined {
  const kinds = kindsWith(label);
  if (kinds.length > 0) return { kinds, name: label };
  const name = label.slice(INSIGHT.length);
  if (label.startsWith(INSIGHT) && kindsWith(name).includes('node')) return { kinds: ['node'], name };
  return objectKinds.some((kind) => standardLabels[kind].has(label)) ? undefined : { kinds: objectKinds, name: label };
}

/** The objects from which a target can have the label with one of the values; undefined if the label index does not tell, or for too many. */
async function ownersOf(table: Table, requirement: Requirement): Promise<Owner[] | undefined> {
  const origins = originsOf(requirement.label);
  if (origins === undefined) return undefined;
  const { kinds, name: label } = origins;
  const owners = new Map<string, Owner>();
  const range = { prefix: '', after: undefined, size: MAX_OWNERS };
  for (const kind of kinds) {
    const partitions = partitionsFor(kind, { ...requirement, label });
    if (partitions === undefined) return undefined;
    const lists = await Promise.all(partitions.map((pk) => readReferences(table, { pk, before: '' }, range)));
    if (lists.some(({ reach }) => reach !== undefined)) return undefined;
    for (const { id } of lists.flatMap(({ references }) => references)) owners.set(id, { kind, id });
  }
  return owners.size > MAX_OWNERS ? undefined : [...owners.values()];
}

/** Applies a function to all values, some at the same time. */
async function inTurn<Value, Result>(values: readonly Value[], work: (value: Value) => Promise<Result>) {
  const results: Result[] = [];
  for (let start = 0; start < values.length; start += AT_ONCE)
    results.push(...(await Promise.all(values.slice(start, start + AT_ONCE).map(work))));
  return results;
}

/** The ids of the agents of these types whose targets an object takes part in: its own, those on it and those that watch it or its services. */
async function agentIdsOf(table: Table, { kind, id }: Owner, types: readonly AgentType[]): Promise<string[]> {
  if (kind === 'agent') return [id];
  const items = await readCollection(table, objectKey(kind, id).pk);
  const edges = [relations.agents, relations.insights].flatMap((relation) =>
    types.flatMap((type) => idsInEdges(items, relation + typeOrder(type))),
  );
  if (kind === 'service' || !types.includes(UNPLACED_TYPE)) return edges;
  // An agent that runs on no node has the nodes of its services.
  const external = relations.insights + typeOrder(UNPLACED_TYPE);
  const behind = await Promise.all(
    idsInEdges(items, relations.services).map((service) =>
      readCollection(table, objectKey('service', service).pk, external),
    ),
  );
  return [...edges, ...behind.flatMap((some) => idsInEdges(some, external))];
}

/**
 * The agents of these types whose targets can have all labels of a selector, by type, then by id: a few more than match. Begins at the
 * label index, with the requirement that the fewest objects meet. One query of each of these objects.
 *
 * @returns undefined if reading the list of all agents costs less, or no requirement names values.
 */
export async function agentsByLabels(
  table: Table,
  types: readonly AgentType[],
  requirements: readonly Requirement[],
): Promise<Agent[] | undefined> {
  const named = requirements.filter(({ operator }) => operator === 'in');
  const all = await Promise.all(named.map((requirement) => ownersOf(table, requirement)));
  const [owners] = all.filter((some) => some !== undefined).toSorted((left, right) => left.length - right.length);
  if (owners === undefined) return undefined;
  const enough = owners.length * COLLECTIONS_WORTH_A_LIST;
  const allNodes = { index: indexes.byName, partition: listPartition('node') };
  if (enough > 0 && (await queryCount(table, allNodes, enough)) < enough) return undefined;
  const ids = (await inTurn(owners, (owner) => agentIdsOf(table, owner, types))).flat();
  const agents = [...(await objectsById(table, 'agent', ids)).values()].filter(({ object }) =>
    types.includes(object.agent_type),
  );
  const place = ({ agent_type: type, agent_id: id }: Agent) => [types.indexOf(type), id] as const;
  return agents
    .map(({ object }) => object)
    .sort((left, right) => {
      const [[type, id], [otherType, otherId]] = [place(left), place(right)];
      return type - otherType || (id < otherId ? -1 : 1);
    });
}
