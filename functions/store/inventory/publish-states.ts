import type { Table } from '../../../shared/db/table.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import { transact } from '../../../shared/db/transact.ts';
import type { State } from '../../domain/fields/liveness.ts';
import { storedOf } from '../entities/entity.ts';
import { readSilences, type Silence, SilencedObjects } from '../entities/silences.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { type Heartbeat, readHeartbeatRange, toHeartbeats } from '../heartbeats/heartbeat.ts';
import { reportTimes, stateOfNode } from '../heartbeats/shown-state.ts';
import { publishedStep } from '../heartbeats/heartbeat-update.ts';
import { leaveGroups } from '../heartbeats/group-membership.ts';
import { feedTime, noteChange } from '../history/feed-time.ts';
import { stateChangeStep } from '../history/state-record.ts';
import { heartbeatKey, nameOfKey, objectKey, stateChangeIdOf, timeOfChange } from '../table/keys.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { readAhead } from '../table/read.ts';
import { forEach } from './for-each.ts';

/** The numbers of heartbeats that one pass reads: of each of 16 partitions at once, and in total (some 21,000 units). */
export interface PassLimits {
  perPartition: number;
  heartbeats: number;
}

export const passLimits: PassLimits = { perPartition: 500, heartbeats: 500_000 };

export interface PassOptions {
  writeContext: WriteContext;
  /** The node id after which the pass begins; undefined: the first one. */
  after: string | undefined;
  /** Whether the pass has to end. */
  isLate: () => boolean;
  limits?: PassLimits;
}

export interface PassResult {
  read: number;
  /** The changes that it published, by the new state. */
  published: Record<'live' | 'stale' | 'offline', number>;
  /** The nodes whose state could not be published, with the error. */
  failed: { nodeId: string; error: unknown }[];
  /** The node id up to which it came; undefined: to the end. */
  next: string | undefined;
}

interface Transition {
  from: State;
  to: 'live' | 'stale' | 'offline';
}

/**
 * The change of a state that is not yet published; undefined: none. A node counts as live before the first one, so that
 * neither its first report nor the first pass over an inventory is an event of each node. A node whose agent process was
 * replaced keeps its published state until the new one reports.
 */
function transitionOf(heartbeat: Heartbeat, now: Date): Transition | undefined {
  const to = stateOfNode(heartbeat, now);
  const from = heartbeat.published?.state ?? 'live';
  return to === 'never_seen' || to === from ? undefined : { from, to };
}

/**
 * Publishes the present state of a node: the record of the change and the mark in the heartbeat are one transaction, which
 * is refused when the heartbeat has changed. So each change is published once, even by concurrent passes.
 *
 * @returns the new state; undefined when nothing is to be published, or the node is silenced or does not exist any more.
 */
async function publish(
  table: Table,
  nodeId: string,
  silences: readonly Silence[],
  { clock, actor, requestId }: WriteContext,
): Promise<Transition['to'] | undefined> {
  return retryOnContention(table, async () => {
    const keys = [heartbeatKey(nodeId), objectKey('node', nodeId)] as const;
    const items = await readAhead(table, keys);
    const [item, nodeItem] = keys.map((key) => items.get(nameOfKey(key)));
    if (item === undefined || nodeItem === undefined) return undefined;
    const node = storedOf('node', nodeItem);
    // Its published state stays: after the silence, a state that differs from it is published.
    if (new SilencedObjects(silences).has(node)) return undefined;
    const [heartbeat] = await toHeartbeats(table, [item]);
    if (heartbeat === undefined) throw new StaleRead();
    const now = clock();
    const transition = transitionOf(heartbeat, now);
    if (transition === undefined) return undefined;
    if (heartbeat.group !== undefined) {
      await leaveGroups(table, [nodeId]);
      throw new StaleRead();
    }
    const { node_name: nodeName, revision, last_change: last } = node.object;
    // Later than the changes of the node, and than the last one of its state, even when clocks differ.
    const earlier = [heartbeat.published?.at ?? 0, last === undefined ? 0 : timeOfChange(last)];
    const at = Math.max(await feedTime(table, now), ...earlier.map((time) => time + 1));
    noteChange(table, at);
    const reportedAt = new Date(Math.max(...reportTimes(heartbeat)));
    await transact(table, [
      publishedStep(heartbeat, { state: transition.to, at }),
      stateChangeStep(
        stateChangeIdOf(at, newTransactionName()),
        { nodeId, nodeName, revision, reportedAt, ...transition },
        { actor, requestId },
      ),
    ]);
    return transition.to;
  });
}

/**
 * Publishes the changes of the states of nodes since the last pass. Reads a fixed number of heartbeats at most; `next` says
 * where the next pass continues. An index by the time of the report would cost every stored report two write units, which
 * is some hundred times the price of these reads.
 */
export async function publishStates(
  table: Table,
  { writeContext, after, isLate, limits = passLimits }: PassOptions,
): Promise<PassResult> {
  const passed: PassResult = { read: 0, published: { live: 0, stale: 0, offline: 0 }, failed: [], next: after };
  do {
    const { heartbeats, reach } = await readHeartbeatRange(table, passed.next, limits.perPartition);
    const now = writeContext.clock();
    const due = heartbeats.filter((heartbeat) => transitionOf(heartbeat, now) !== undefined);
    const silences = due.length === 0 ? [] : await readSilences(table, now);
    const grouped = due.filter(({ group }) => group !== undefined);
    // Together: a whole group can fall silent at once. After a failure, each of them tries again.
    await leaveGroups(
      table,
      grouped.map(({ nodeId }) => nodeId),
    ).catch(() => undefined);
    const isCut = await forEach(due, async ({ nodeId }) => {
      // The next pass reads this range again, and finds what is left.
      if (isLate()) return 'stop';
      try {
        const state = await publish(table, nodeId, silences, writeContext);
        if (state !== undefined) passed.published[state] += 1;
      } catch (error) {
        passed.failed.push({ nodeId, error });
      }
      return 'go on';
    });
    if (isCut) return passed;
    passed.read += heartbeats.length;
    passed.next = reach;
  } while (passed.next !== undefined && passed.read < limits.heartbeats && !isLate());
  return passed;
}
