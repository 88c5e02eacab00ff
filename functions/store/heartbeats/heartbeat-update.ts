import {
  ABSENT,
  absent,
  and,
  type Condition,
  equals,
  exists,
  isBelow,
  orAbsent,
  PRESENT,
  stale,
} from '../../../shared/db/conditions.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { isReporter } from '../../domain/agent/types.ts';
import { haveSameLife } from '../../domain/fields/liveness.ts';
import { type Heartbeat, lifeAttributes, newHeartbeat, publishedIn, type PublishedState } from './heartbeat.ts';
import { GROUP, pointerIn } from './group-times.ts';
import { heartbeatKey, objectKey, processAttribute } from '../table/keys.ts';
import type { Node, Entity } from '../entities/entity.ts';
import type { WriteContext } from '../entities/write-context.ts';

/** The effect of a plan on the heartbeat of a node. Collected, because a transaction may contain an item only once. */
export interface HeartbeatChange {
  nodeId: string;
  /** The plan adds the node, with its heartbeat. */
  added?: Node;
  /** The plan removes the node, with its heartbeat. */
  removed: boolean;
  /** The node, when its timers change. */
  changed?: Node;
  /** Ids of agent processes that the plan adds and removes. */
  come: Set<string>;
  gone: Set<string>;
  /** No process may have reported since this was read. */
  silentSince?: Heartbeat;
}

export type HeartbeatChanges = Map<string, HeartbeatChange>;

/** Distinguishes a report in the meantime from other reasons for a stale read. */
export class ConcurrentReport extends StaleRead {}

/** The heartbeat is in a group, which it has to leave before it is written (group-membership.ts). */
export class GroupedHeartbeat extends StaleRead {}

/** No group contains the time of the last report. While one does, nothing else may change the heartbeat. */
const UNGROUPED = absent(GROUP);

export function heartbeatChange(changes: HeartbeatChanges, nodeId: string): HeartbeatChange {
  const begun = changes.get(nodeId);
  if (begun !== undefined) return begun;
  const change: HeartbeatChange = { nodeId, removed: false, come: new Set(), gone: new Set() };
  changes.set(nodeId, change);
  return change;
}

/** The node that an agent process reports for; undefined for an object that is no agent process. */
function nodeOfProcess({ kind, object }: Entity): string | undefined {
  return kind === 'agent' && isReporter(object.agent_type) ? object.runs_on_node_id : undefined;
}

/** Collects the effect of an add, a change or a removal of an object on heartbeats. */
export function noteHeartbeat(changes: HeartbeatChanges, before: Entity | undefined, after: Entity | undefined): void {
  if (after?.kind === 'node') {
    const { object } = after;
    if (before === undefined) heartbeatChange(changes, object.node_id).added = object;
    else if (before.kind === 'node' && !haveSameLife(before.object, object))
      heartbeatChange(changes, object.node_id).changed = object;
    return;
  }
  if (before?.kind === 'node') {
    heartbeatChange(changes, before.object.node_id).removed = true;
    return;
  }
  const comes = before === undefined && after !== undefined ? nodeOfProcess(after) : undefined;
  if (comes !== undefined && after?.kind === 'agent') heartbeatChange(changes, comes).come.add(after.object.agent_id);
  const goes = after === undefined && before !== undefined ? nodeOfProcess(before) : undefined;
  if (goes !== undefined && before?.kind === 'agent') heartbeatChange(changes, goes).gone.add(before.object.agent_id);
}

/** The conditions that each process's last report is still the one that was read. */
const silence = ({ processes }: Heartbeat): Condition[] =>
  [...processes].map(([id, report]) => equals([processAttribute(id), 'at'], report?.at));

/** The transact items that compute the timers of a heartbeat with the present defaults, if the node is as it was read. */
export function renewalSteps(node: Node): TransactItem[] {
  return [
    {
      update: heartbeatKey(node.node_id),
      set: lifeAttributes(node),
      condition: and(PRESENT, UNGROUPED),
      onConditionFailed: stale,
    },
    { check: objectKey('node', node.node_id), condition: equals('revision', node.revision), onConditionFailed: stale },
  ];
}

const PUBLISHED = 'published' satisfies keyof Heartbeat;

/**
 * The transact item. Its refusal is GroupedHeartbeat when a group contains the time of the last report, ConcurrentReport
 * when a process may have reported, otherwise StaleRead.
 *
 * @param at the time of the changes of the transaction. That of a removal is later than the last change of the state of
 *   the node, even when the clocks of two functions differ.
 */
export function heartbeatStep(change: HeartbeatChange, writeContext: WriteContext, at: number): TransactItem {
  const { nodeId, added, removed, changed, come, gone, silentSince } = change;
  const key = heartbeatKey(nodeId);
  if (added !== undefined) {
    const processes = Object.fromEntries([...come].map((id) => [processAttribute(id), {}]));
    const item = { ...newHeartbeat(added, writeContext.now), ...processes };
    return { put: item, condition: ABSENT, onConditionFailed: stale };
  }
  const conditions = [PRESENT, UNGROUPED, ...(silentSince === undefined ? [] : silence(silentSince))];
  const refused = (item: Item | undefined) => {
    if (pointerIn(item) !== undefined) return new GroupedHeartbeat();
    const { at: last = 0 } = publishedIn(item) ?? {};
    writeContext.minTimestamp = Math.max(writeContext.minTimestamp, last);
    return silentSince === undefined || last >= at ? stale() : new ConcurrentReport();
  };
  if (removed) {
    const condition = and(...conditions, orAbsent(isBelow([PUBLISHED, 'at'], at)));
    return { delete: key, condition, onConditionFailed: refused };
  }
  const begun = Array.from(come, processAttribute);
  const ended = Array.from(gone, processAttribute);
  return {
    update: key,
    set: {
      ...(changed === undefined ? {} : lifeAttributes(changed)),
      ...Object.fromEntries(begun.map((process) => [process, {}])),
    },
    remove: ended,
    condition: and(...conditions, ...begun.map(absent), ...ended.map(exists)),
    onConditionFailed: refused,
  };
}

/**
 * The transact item that stores the state of a node that is published, if the heartbeat is as it was read: its timers,
 * the last report of each process, and the state that was published before. So a state is published once, and only
 * while it is the state of the node.
 */
export function publishedStep(heartbeat: Heartbeat, next: PublishedState): TransactItem {
  const { nodeId, life, published: last } = heartbeat;
  return {
    update: heartbeatKey(nodeId),
    set: { [PUBLISHED]: next },
    condition: and(
      PRESENT,
      UNGROUPED,
      equals(PUBLISHED, last),
      equals('stale_after', life.staleAfter),
      equals('offline_after', life.offlineAfter),
      ...silence(heartbeat),
    ),
    onConditionFailed: stale,
  };
}
