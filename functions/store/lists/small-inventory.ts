import type { State } from '../../domain/fields/liveness.ts';
import { type Heartbeats, stateOfNode, statesOn } from '../heartbeats/heartbeat.ts';
import { objectKey, relations, unplacedPartition } from '../table/keys.ts';
import { byBytes, type Collection, type Range, type TruncatedList } from './merge-references.ts';

/** With more nodes than this, reading the collection of each node costs more than reading the whole list. */
const MAX_NODES_LOOKED_AT = 50;

/** The requested state, with the heartbeats of all nodes, from which states follow. */
export interface Wanted {
  state: State;
  heartbeats: Heartbeats;
  now: Date;
}

/** The nodes in this state, in the order of their list. */
export function nodesInState({ state, heartbeats, now }: Wanted, { prefix, after, size }: Range): TruncatedList {
  const references = [...heartbeats.values()]
    .filter((heartbeat) => stateOfNode(heartbeat, now) === state)
    .map(({ nodeId: id, nodeName: order }) => ({ order, id }))
    .filter(({ order }) => order.startsWith(prefix) && (after === undefined || byBytes(order, after) > 0))
    .sort((left, right) => byBytes(left.order, right.order));
  const first = references.slice(0, size);
  return { references: first, reach: references.length > size ? first.at(-1) : undefined };
}

/** The partitions that together refer to all objects which may be in this state; undefined when they are too many. */
export function partitionsInState(
  kind: 'service' | 'agent',
  { state, heartbeats, now }: Wanted,
): Collection[] | undefined {
  const nodes = [...heartbeats.values()].filter((heartbeat) => statesOn(heartbeat, now).has(state));
  if (nodes.length > MAX_NODES_LOOKED_AT) return undefined;
  const relation = kind === 'service' ? relations.services : relations.agents;
  const ofNodes = nodes.map(({ nodeId }) => ({ pk: objectKey('node', nodeId).pk, before: relation }));
  return state === 'never_seen' ? [...ofNodes, { pk: unplacedPartition(kind), before: '' }] : ofNodes;
}
