import { ApiError } from '../../../shared/core/errors.ts';
import type { Table } from '../../../shared/db/table.ts';
import { nodesOf, readHeartbeats } from '../heartbeats/heartbeat.ts';
import { bestTimeline, dayOf, type StateDay, timelineOf, worstTimeline } from '../heartbeats/timeline.ts';
import { servicesOfCluster } from './list-nodes.ts';

/** The states of a cluster in the last day. */
interface ClusterDay {
  /** The worst states of its services; available while at least one of them was live. */
  worst: StateDay;
  /** The share of the time in which all were live; undefined if no state is known. */
  allLive: number | undefined;
}

/**
 * The states of a cluster in the last day, by the services that it has now. Reads its services and the heartbeats of their
 * nodes: three rounds, or four if a relay reports for some.
 *
 * @throws ApiError `notFound`; `failedPrecondition` for a cluster with too many services.
 */
export async function readClusterDay(table: Table, cluster: string, now: Date): Promise<ClusterDay> {
  const services = await servicesOfCluster(table, cluster);
  if (services.length === 0) throw new ApiError('notFound', `Cluster "${cluster}" not found.`);
  const heartbeats = await readHeartbeats(table, services, false);
  const timelines = services.map((service) =>
    bestTimeline(
      nodesOf(service).flatMap((id) => {
        const heartbeat = heartbeats.get(id);
        return heartbeat === undefined ? [] : [timelineOf(heartbeat)];
      }),
    ),
  );
  const worst = dayOf(worstTimeline(timelines), now);
  const { availability } = dayOf(bestTimeline(timelines), now);
  return { worst: { ...worst, availability }, allLive: worst.availability };
}
