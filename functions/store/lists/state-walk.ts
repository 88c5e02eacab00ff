import type { Position } from '../../../shared/db/page-token.ts';
import type { Table } from '../../../shared/db/table.ts';
import { fitting } from '../../../shared/core/reply-size.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import {
  type Heartbeat,
  type HeartbeatRange,
  type Heartbeats,
  readHeartbeatRange,
  readHeartbeats,
} from '../heartbeats/heartbeat.ts';
import {
  type HeartbeatFilter,
  isNodeInStates,
  canContain,
  canContainUnplaced,
} from '../heartbeats/heartbeat-filter.ts';
import { objectKey, type ObjectKind, relations, unplacedPartition } from '../table/keys.ts';
import type { PageOptions } from '../table/page.ts';
import type { AccessPage } from './access-page.ts';
import { type Collection, type Reference, readReferences, type TruncatedList } from './merge-references.ts';
import { firstById } from './pages.ts';

/** Heartbeats of each of the 16 partitions that a walk begins with: together some 60 read units. */
export const FIRST_HEARTBEATS = 100;

/** Heartbeats of each partition that a round reads: together some 300 read units. */
const ROUND_HEARTBEATS = 500;

/** Nodes whose services or agents a round reads: one query each. */
const ROUND_NODES = 50;

/** With a larger share of the nodes in a state, most objects of a page of the ordinary list are in it. */
const COMMON_SHARE = 0.1;

export interface StateQuery {
  kind: ObjectKind;
  wanted: HeartbeatFilter;
  /** Prefix of the orders of the objects. */
  prefix: string;
}

/** The heartbeats of the nodes that can have objects in the requested states. */
const candidates = ({ kind, wanted }: StateQuery, heartbeats: readonly Heartbeat[]) =>
  heartbeats.filter((heartbeat) => canContain(wanted, kind, heartbeat));

/** Whether a walk would cost more than the ordinary list, because many nodes can have objects in the requested states. */
export function isCommon(query: StateQuery, { heartbeats }: HeartbeatRange): boolean {
  return candidates(query, heartbeats).length > heartbeats.length * COMMON_SHARE;
}

// Positions ----------------------------------------------------------------------------------------------------------

/** Begins the second part of a position of a walk. Positions of other lists contain a UUID there. */
const WALK = 'walk:';

/** Stands for the node id of objects that are on no node. It sorts after all node ids. */
const ON_NO_NODE = '~';

/** Up to where the nodes were walked. */
interface WalkPosition {
  nodeId: string | undefined;
  /** The order of the last object that was read of this node; undefined: all of its objects were read. */
  order: string | undefined;
}

export const isWalk = ([, place]: Position) => place.startsWith(WALK);

function placeOf(position: Position | undefined): WalkPosition {
  if (position === undefined) return { nodeId: undefined, order: undefined };
  const [order, place] = position;
  return { nodeId: place.slice(WALK.length), order: order === '' ? undefined : order };
}

const positionOf = (nodeId: string, order = ''): Position => [order, WALK + nodeId];

// Reading ------------------------------------------------------------------------------------------------------------

/** Heartbeats after a node id. */
async function readOn(table: Table, { first, limits }: Walk, after: string | undefined): Promise<HeartbeatRange> {
  if (after === ON_NO_NODE) return { heartbeats: [], reach: undefined };
  return first ?? readHeartbeatRange(table, after, limits?.heartbeats ?? ROUND_HEARTBEATS);
}

function collectionOn(kind: 'service' | 'agent', nodeId: string): Collection {
  if (nodeId === ON_NO_NODE) return { pk: unplacedPartition(kind), before: '' };
  return { pk: objectKey('node', nodeId).pk, before: kind === 'service' ? relations.services : relations.agents };
}

/**
 * Whether the object belongs to this node in the walk, so that a service of several nodes is listed once: with the first
 * of those in one of the states.
 */
function belongsTo(nodeId: string, entity: Entity, { wanted }: StateQuery, heartbeats: Heartbeats): boolean {
  if (entity.kind !== 'service' || nodeId === ON_NO_NODE) return true;
  const inState = entity.object.node_ids.filter((id) => {
    const heartbeat = heartbeats.get(id);
    return heartbeat !== undefined && isNodeInStates(wanted, heartbeat);
  });
  return inState.toSorted()[0] === nodeId;
}

interface OnNode {
  nodeId: string;
  list: TruncatedList;
}

/** As many references as the page is long, in the order of the nodes; and up to where they are complete. */
function cut(lists: readonly OnNode[], size: number): { taken: [nodeId: string, Reference][]; end?: Position } {
  const taken: [string, Reference][] = [];
  for (const [index, { nodeId, list }] of lists.entries()) {
    const rest = list.references.slice(0, size - taken.length);
    taken.push(...rest.map((reference): [string, Reference] => [nodeId, reference]));
    const last = rest.at(-1);
    if (rest.length < list.references.length || list.reach !== undefined)
      return last === undefined ? { taken } : { taken, end: positionOf(nodeId, last.order) };
    if (taken.length === size && index + 1 < lists.length) return { taken, end: positionOf(nodeId) };
  }
  return { taken };
}

interface Walk {
  query: StateQuery;
  filter: (entity: Entity) => boolean;
  /** The heartbeats from the first node on, if they were read already. */
  first: HeartbeatRange | undefined;
  /** Default: those of a round. */
  limits?: { heartbeats: number; nodes: number };
}

/** One round of the nodes in one of the states. */
async function walkNodes(table: Table, walk: Walk, page: PageOptions): Promise<AccessPage> {
  const { heartbeats, reach } = await readOn(table, walk, placeOf(page.after).nodeId);
  const inState = candidates(walk.query, heartbeats);
  const shown = inState.slice(0, page.size);
  const ids = shown.map(({ nodeId }) => nodeId);
  const byId = await firstById(table, 'node', ids, walk.filter);
  const nodes = ids.flatMap((id) => byId.get(id) ?? []);
  const objects = nodes.slice(0, fitting(nodes.map(({ object }) => object)));
  const places = objects.map((entity) => positionOf(idOf(entity)));
  const rest = shown.length < inState.length ? ids.at(-1) : reach;
  const end = rest === undefined ? undefined : positionOf(rest);
  return {
    objects,
    places,
    next: objects.length < nodes.length ? places.at(-1) : end,
    heartbeats: new Map(shown.map((heartbeat) => [heartbeat.nodeId, heartbeat])),
  };
}

/** One round of the services, or agents, on the nodes that can contain matches. */
async function walkObjects(
  table: Table,
  kind: 'service' | 'agent',
  walk: Walk,
  { size, after }: PageOptions,
): Promise<AccessPage> {
  const { query, filter, limits } = walk;
  const place = placeOf(after);
  const { heartbeats, reach } = await readOn(table, walk, place.nodeId);
  const begun = place.order === undefined || place.nodeId === undefined ? [] : [place.nodeId];
  const candidateIds = candidates(query, heartbeats).map(({ nodeId }) => nodeId);
  const isAtEnd = reach === undefined && canContainUnplaced(query.wanted) && place.nodeId !== ON_NO_NODE;
  const all = [...begun, ...candidateIds, ...(isAtEnd ? [ON_NO_NODE] : [])];
  const nodeIds = all.slice(0, limits?.nodes ?? ROUND_NODES);
  const lists = await Promise.all(
    nodeIds.map(async (nodeId): Promise<OnNode> => {
      const from = nodeId === begun[0] ? place.order : undefined;
      const range = { prefix: query.prefix, after: from, size };
      return { nodeId, list: await readReferences(table, collectionOn(kind, nodeId), range) };
    }),
  );
  const { taken, end: cutAt } = cut(lists, size);
  const ids = taken.map(([, { id }]) => id);
  const byId = await firstById(table, kind, ids, filter);
  const read = taken.flatMap(([nodeId, { id, order }]) => {
    const entity = byId.get(id);
    return entity === undefined ? [] : [{ nodeId, order, entity }];
  });
  const shown = read.slice(0, fitting(read.map(({ entity }) => entity.object)));
  const lastShown = shown.length < read.length ? shown.at(-1) : undefined;
  const shownHeartbeats = await readHeartbeats(
    table,
    shown.map(({ entity }) => entity),
    false,
  );
  const last = nodeIds.length < all.length ? nodeIds.at(-1) : reach;
  const end = lastShown === undefined ? cutAt : positionOf(lastShown.nodeId, lastShown.order);
  const listed = shown.filter(({ nodeId, entity }) => belongsTo(nodeId, entity, query, shownHeartbeats));
  return {
    objects: listed.map(({ entity }) => entity),
    places: listed.map(({ nodeId, order }) => positionOf(nodeId, order)),
    next: end ?? (last === undefined ? undefined : positionOf(last)),
    heartbeats: shownHeartbeats,
  };
}

/**
 * A part of the objects in states, or with statuses, that few nodes hold: by the ids of their nodes, which are random. Reads a
 * fixed number of heartbeats. An object whose state changes while the pages are read may be missing, or listed twice.
 *
 * @param walk its filter is what the objects must be besides their state and status. The caller filters by these.
 */
export function walkState(table: Table, walk: Walk, page: PageOptions): Promise<AccessPage> {
  const { kind } = walk.query;
  return kind === 'node' ? walkNodes(table, walk, page) : walkObjects(table, kind, walk, page);
}
