import type { Table } from '../../../shared/db/table.ts';
import {
  canContain,
  canContainUnplaced,
  heartbeatFilter,
  type HeartbeatFilter,
  matchesHeartbeat,
} from '../heartbeats/heartbeat-filter.ts';
import { type Heartbeats, readHeartbeatRange } from '../heartbeats/heartbeat.ts';
import { objectKey, relations, unplacedPartition } from '../table/keys.ts';
import type { Access, StatesAt } from './access.ts';
import { byBytes } from './merge-references.ts';
import { FIRST_HEARTBEATS, isCommon, isWalk, type StateQuery, walkState } from './state-walk.ts';

/** With more nodes than this, reading the collection of each node costs more than reading the whole list. */
const MAX_NODES_LOOKED_AT = 50;

/** The collections that together refer to all objects which may match; undefined when they are too many. */
function collectionsInState(kind: 'service' | 'agent', filter: HeartbeatFilter, heartbeats: Heartbeats) {
  const nodes = [...heartbeats.values()].filter((heartbeat) => canContain(filter, kind, heartbeat));
  if (nodes.length > MAX_NODES_LOOKED_AT) return undefined;
  const before = kind === 'service' ? relations.services : relations.agents;
  const ofNodes = nodes.map(({ nodeId }) => ({ pk: objectKey('node', nodeId).pk, before }));
  return canContainUnplaced(filter) ? [...ofNodes, { pk: unplacedPartition(kind), before: '' }] : ofNodes;
}

/** The nodes in one of the states, in the order of their list. */
const nodesInState = (filter: HeartbeatFilter, heartbeats: Heartbeats) =>
  [...heartbeats.values()]
    .filter((heartbeat) => canContain(filter, 'node', heartbeat))
    .map(({ nodeId: id, nodeName: order }) => ({ order, id }))
    .sort((left, right) => byBytes(left.order, right.order));

/** The access by these states, if all heartbeats or the first of them say that few objects are in them; otherwise undefined. */
async function accessByHeartbeats(
  table: Table,
  query: StateQuery,
  all: Heartbeats | undefined,
): Promise<Access | undefined> {
  const first = all ? undefined : await readHeartbeatRange(table, undefined, FIRST_HEARTBEATS);
  const { kind, wanted: filter } = query;
  if (first?.reach !== undefined)
    return isCommon(query, first) ? undefined : { by: 'heartbeats', query, first, read: walkState };
  const heartbeats = all ?? new Map(first?.heartbeats.map((heartbeat) => [heartbeat.nodeId, heartbeat]));
  if (kind === 'node') return { by: 'state', heartbeats, nodes: nodesInState(filter, heartbeats), sources: [] };
  const collections = collectionsInState(kind, filter, heartbeats);
  return collections && { by: 'state', heartbeats, nodes: undefined, sources: [collections] };
}

/**
 * How lists select by states and statuses at a time. It is passed to plans, so that functions whose lists cannot select by these do not
 * contain it.
 */
export const statesAt = (now: Date): StatesAt => ({
  now,
  selectedBy(selection) {
    const wanted = heartbeatFilter(selection, now);
    return (
      wanted && {
        matches: (entity, heartbeats) => matchesHeartbeat(wanted, entity, heartbeats),
        continued: (range, after) =>
          isWalk(after)
            ? { by: 'heartbeats', query: { ...range, wanted }, first: undefined, read: walkState }
            : undefined,
        begun: (table, range, all) => accessByHeartbeats(table, { ...range, wanted }, all),
      }
    );
  },
});
