import type { CleanupResult } from '../store/inventory/cleanup.ts';
import type { DueNode } from '../store/inventory/cleanup-due.ts';

const dueFields = ({ nodeId, nodeName, lastSeen, since }: DueNode) => ({
  node_id: nodeId,
  node_name: nodeName,
  ...(lastSeen === undefined ? {} : { last_seen: lastSeen.toISOString() }),
  due_since: since.toISOString(),
});

/** The result of a cleanup, for the reply and for the log. Without the place where it continues. */
export function toCleanupReply({ thresholdExceeded, objects, removed, kept }: CleanupResult) {
  return {
    threshold_exceeded: thresholdExceeded,
    objects,
    removed: removed.map(({ due, removalId, objects: gone }) => ({
      ...dueFields(due),
      removal_id: removalId,
      objects: gone,
    })),
    kept: kept.map(({ due, reason }) => ({ ...dueFields(due), reason })),
  };
}
