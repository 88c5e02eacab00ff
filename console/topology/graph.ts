import { type Health, healthOf } from '../model/health.ts';

/** Kinds of objects, in the order in which they are drawn: those that others run on first. */
export type GraphKind = 'node' | 'service' | 'agent';

/** The fields of a node, a service or an agent that the graph shows. */
export interface GraphSource {
  kind: GraphKind;
  id: string;
  name: string;
  type: string;
  /** What its health follows from. */
  object: Parameters<typeof healthOf>[0];
  /** The node that an agent runs on, or the nodes of a service. */
  runsOn: readonly string[];
  /** The pmm_agent of an agent. */
  runsUnder?: string | undefined;
  /** What an agent gives insight into. */
  insights: readonly string[];
}

export interface GraphObject {
  kind: GraphKind;
  id: string;
  name: string;
  type: string;
  health: Health | undefined;
}

/** `insight`: the first gives insight into the second. `runs`: the second runs on or under the first. */
export type RelationType = 'runs' | 'insight';

export interface Relation {
  from: string;
  to: string;
  type: RelationType;
}

export interface Graph {
  objects: readonly GraphObject[];
  relations: readonly Relation[];
  /** Number of objects that were loaded and are not drawn, by kind. */
  omitted: Readonly<Record<GraphKind, number>>;
}

/** More boxes than this are no picture. */
export const MAX_OBJECTS = 60;

/** What a reader looks for first: the subject of the page, what others hang from, then what is not well. */
function priorityOf(source: GraphSource, subject: string | undefined): number {
  if (source.id === subject) return 0;
  if (source.kind === 'node') return 1;
  if (source.type === 'pmm_agent') return 2;
  return healthOf(source.object)?.isGood === true ? 4 : 3;
}

function relationsOf({ id, runsOn, runsUnder, insights }: GraphSource): Relation[] {
  // An agent under a pmm_agent is drawn there, not at the node of both.
  const places = runsUnder === undefined ? runsOn : [runsUnder];
  return [
    ...places.map((from): Relation => ({ from, to: id, type: 'runs' })),
    // An agent that watches its own node would need a line back to where it hangs.
    ...insights.filter((to) => !runsOn.includes(to)).map((to): Relation => ({ from: id, to, type: 'insight' })),
  ];
}

/**
 * The graph of some objects and of the relations among them.
 *
 * @param subject the id of the object that the page is about; it is never omitted.
 * @param max number of objects at most.
 */
export function graphOf(sources: readonly GraphSource[], subject: string | undefined, max = MAX_OBJECTS): Graph {
  const unique = [...new Map(sources.map((source) => [source.id, source])).values()];
  const byPriority = unique.toSorted((left, right) => priorityOf(left, subject) - priorityOf(right, subject));
  const drawn = new Set(byPriority.slice(0, max).map(({ id }) => id));
  const omittedOf = (kind: GraphKind) => unique.filter((one) => one.kind === kind && !drawn.has(one.id)).length;
  const shown = unique.filter(({ id }) => drawn.has(id));
  return {
    objects: shown.map(({ kind, id, name, type, object }) => ({ kind, id, name, type, health: healthOf(object) })),
    relations: shown.flatMap(relationsOf).filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
    omitted: { node: omittedOf('node'), service: omittedOf('service'), agent: omittedOf('agent') },
  };
}

/** An object in the list form, with the objects below it. */
export interface Branch {
  object: GraphObject;
  /** How it is related to the object above; undefined at the top. */
  type: RelationType | undefined;
  branches: readonly Branch[];
}

/** The graph as a tree. An object that several others lead to is below each of them; what is below it is named once. */
export function treeOf({ objects, relations }: Graph): Branch[] {
  const byId = new Map(objects.map((object) => [object.id, object]));
  const expanded = new Set<string>();
  const branchOf = (object: GraphObject, type: RelationType | undefined): Branch => {
    const isFirst = !expanded.has(object.id);
    expanded.add(object.id);
    const below = isFirst ? relations.filter(({ from }) => from === object.id) : [];
    return {
      object,
      type,
      branches: below.flatMap((relation) => {
        const target = byId.get(relation.to);
        return target === undefined ? [] : [branchOf(target, relation.type)];
      }),
    };
  };
  const roots = objects.filter(({ id }) => relations.every(({ to }) => to !== id));
  const tree = roots.map((object) => branchOf(object, undefined));
  // Objects that are only related in a circle have no root: agents that watch each other's nodes.
  const rest = objects.flatMap((object) => (expanded.has(object.id) ? [] : [branchOf(object, undefined)]));
  return [...tree, ...rest];
}
