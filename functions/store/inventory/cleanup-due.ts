import type { Heartbeat } from '../heartbeats/heartbeat.ts';
import { reportTimes } from '../heartbeats/shown-state.ts';

/** A node that is due for removal: ephemeral, and without a report for longer than its `remove_after`. */
export interface DueNode {
  nodeId: string;
  nodeName: string;
  /** The time of the last report; undefined when it never reported. */
  lastSeen: Date | undefined;
  /** The time since which it is due. */
  since: Date;
}

/** @param now the time at which the node is due or not; undefined when it is not. */
export function dueOf(heartbeat: Heartbeat, now: Date): DueNode | undefined {
  const { nodeId, nodeName, addedAt, life } = heartbeat;
  if (life.lifetime !== 'ephemeral') return undefined;
  const times = reportTimes(heartbeat);
  const last = times.length === 0 ? undefined : Math.max(...times);
  const since = new Date((last ?? addedAt) + life.removeAfter * 1000);
  if (since > now) return undefined;
  return { nodeId, nodeName, lastSeen: last === undefined ? undefined : new Date(last), since };
}
