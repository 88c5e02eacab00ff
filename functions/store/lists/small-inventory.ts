import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import { type HeartbeatFilter, canContain, canContainUnplaced } from '../heartbeats/heartbeat-filter.ts';
import { objectKey, relations, unplacedPartition } from '../table/keys.ts';
import { byBytes, type Collection, type Range, type TruncatedList } from './merge-references.ts';

/** With more nodes than this, reading the collection of each node costs more than reading the whole list. */
const MAX_NODES_LOOKED_AT = 50;

/** The selection by heartbeats, with the heartbeats of all nodes. */
export interface StateSelection {
  filter: HeartbeatFilter;
  heartbeats: Heartbeats;
}

/** The nodes in one of the states, in the order of their list. */
export function nodesInState({ filter, heartbeats }: StateSelection, { prefix, after, size }: Range): TruncatedList {
  const references = [...heartbeats.values()]
    .filter((heartbeat) => canContain(filter, 'node', heartbeat))
    .map(({ nodeId: id, nodeName: order }) => ({ order, id }))
    .filter(({ order }) => order.startsWith(prefix) && (after === undefined || byBytes(order, after) > 0))
    .sort((left, right) => byBytes(left.order, right.order));
  const first = references.slice(0, size);
  return { references: first, reach: references.length > size ? first.at(-1) : undefined };
}

/** The partitions that together refer to all objects which may match; undefined when they are too many. */
export function partitionsOfMatches(
  kind: 'service' | 'agent',
  { filter, heartbeats }: StateSelection,
): Collection[] | undefined {
  const nodes = [...heartbeats.values()].filter((heartbeat) => canContain(filter, kind, heartbeat));
  if (nodes.length > MAX_NODES_LOOKED_AT) return undefined;
  const relation = kind === 'service' ? relations.services : relations.agents;
  const ofNodes = nodes.map(({ nodeId }) => ({ pk: objectKey('node', nodeId).pk, before: relation }));
  return canContainUnplaced(filter) ? [...ofNodes, { pk: unplacedPartition(kind), before: '' }] : ofNodes;
}
