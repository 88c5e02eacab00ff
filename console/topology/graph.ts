import { type Health, healthOf } from '../model/health.ts';

/** Kinds of objects, in the order in which they are drawn: those that others run on first. */
export type GraphKind = 'node' | 'service' | 'agent';

/** The fields of a node, a service or an agent that the graph shows. */
export interface GraphSource {
  kind: GraphKind;
  id: string;
  name: string;
  type: string;
  /** The object that determines its health. */
  object: Parameters<typeof healthOf>[0];
  /** The node that an agent runs on, or the nodes of a service. */
  runsOn: readonly string[];
  /** The pmm_agent of an agent. */
  runsUnder?: string | undefined;
  /** The targets of an agent. */
  insights: readonly string[];
}

export interface GraphObject {
  kind: GraphKind;
  id: string;
  name: string;
  type: string;
  health: Health | undefined;
  /** Whether it stands for several live nodes, and has no page. */
  isFold?: boolean;
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

const isLive = ({ object }: GraphSource) => healthOf(object)?.isGood === true;

/** The order of drawing: the subject of the page, unhealthy objects, places; healthy agents are last. */
function priorityOf(source: GraphSource, subject: string | undefined): number {
  if (source.id === subject) return 0;
  if (source.kind !== 'agent') return isLive(source) ? 2 : 1;
  if (!isLive(source)) return 3;
  return source.type === 'pmm_agent' ? 4 : 5;
}

/** No id of an object. */
const FOLD = 'live nodes';

const foldOf = (folded: readonly GraphSource[]): GraphObject => ({
  kind: 'node',
  id: FOLD,
  name: `${folded.length} live nodes`,
  type: [...new Set(folded.map(({ type }) => type))].join(', '),
  health: undefined,
  isFold: true,
});

const countOf = (kind: GraphKind, sources: readonly GraphSource[]) =>
  sources.filter((source) => source.kind === kind).length;

function relationsOf({ id, runsOn, runsUnder, insights }: GraphSource): Relation[] {
  // An agent under a pmm_agent is drawn there, not at the node of both.
  const places = runsUnder === undefined ? runsOn : [runsUnder];
  return [
    ...places.map((from): Relation => ({ from, to: id, type: 'runs' })),
    // An agent that watches its own node would need a line back to where it hangs.
    ...insights.filter((to) => !runsOn.includes(to)).map((to): Relation => ({ from: id, to, type: 'insight' })),
  ];
}

/** The sources that are drawn, of too many what is not well first, and the live nodes that one box stands for. */
function chosenOf(sources: readonly GraphSource[], subject: string | undefined, max: number) {
  if (sources.length <= max) return { drawn: sources, folded: [] };
  const members = sources.filter(({ kind }) => kind !== 'agent');
  const foldable = members.filter((source) => source.kind === 'node' && source.id !== subject && isLive(source));
  const isFolded = members.length > max && foldable.length > 1;
  const folded = isFolded ? foldable : [];
  const candidates = sources
    .filter((source) => !folded.includes(source))
    // A part of the agents of a cluster that are well says nothing of its members.
    .filter((source) => source.kind !== 'agent' || subject !== undefined || !isLive(source))
    .toSorted((left, right) => priorityOf(left, subject) - priorityOf(right, subject));
  return { drawn: candidates.slice(0, isFolded ? max - 1 : max), folded };
}

/**
 * The graph of some objects and of the relations among them. Where there are too many, agents are left out first, and
 * one box stands for the live nodes if services and nodes alone are too many.
 *
 * @param subject the id of the object that the page is about; it is never omitted. Undefined for a cluster.
 * @param max number of boxes at most.
 */
export function graphOf(sources: readonly GraphSource[], subject: string | undefined, max = MAX_OBJECTS): Graph {
  const unique = [...new Map(sources.map((source) => [source.id, source])).values()];
  const { drawn, folded } = chosenOf(unique, subject, max);
  const boxes = new Map([...drawn.map(({ id }) => [id, id] as const), ...folded.map(({ id }) => [id, FOLD] as const)]);
  const relations = drawn.flatMap(relationsOf).flatMap(({ from, to, type }): Relation[] => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, type }];
  });
  const omittedOf = (kind: GraphKind) => countOf(kind, unique) - countOf(kind, drawn) - countOf(kind, folded);
  return {
    objects: [
      ...(folded.length === 0 ? [] : [foldOf(folded)]),
      ...drawn.map(({ kind, id, name, type, object }) => ({ kind, id, name, type, health: healthOf(object) })),
    ],
    relations: [...new Map(relations.map((one) => [`${one.from} ${one.to} ${one.type}`, one])).values()],
    omitted: { node: omittedOf('node'), service: omittedOf('service'), agent: omittedOf('agent') },
  };
}

/** An object in the list form, with the objects below it. */
export interface Branch {
  object: GraphObject;
  /** Its relation to the object above; undefined at the top. */
  type: RelationType | undefined;
  branches: readonly Branch[];
}

/** The graph as a tree. An object that several others lead to is below each of them; its branches are listed once. */
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
