import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { byLiveShare, countsText, lookOfAll, type StateCounts, worstFirst, worstOf } from '../model/health.ts';
import { StateBar } from '../objects/cells/state-bar.tsx';

/** The numbers of members in each state. Only a cluster without a live member is red. */
export function ClusterHealth({ counts }: { counts: StateCounts }) {
  const look = lookOfAll(counts);
  if (look === undefined) return <>-</>;
  return <StatusIndicator type={look}>{countsText(counts)}</StatusIndicator>;
}

/** The live services, as a bar of the states and as a number. */
export function LiveMembers({ cluster }: { cluster: Cluster }) {
  const { services, services_by_state: counts } = cluster;
  return (
    <span className="live-members">
      <StateBar counts={counts} />
      {`${counts.live ?? 0} of ${services}`}
    </span>
  );
}

const rankOf = ({ services_by_state: counts }: Cluster) => worstFirst.indexOf(worstOf(counts) ?? 'live');

/** The smallest share of live services first; of equal ones the worst state. */
export const byLiveMembers = (left: Cluster, right: Cluster) =>
  byLiveShare(left.services_by_state, right.services_by_state) || rankOf(left) - rankOf(right);

/** The worst state first; of equal ones by name, as the server lists them. */
export const byHealth = (left: Cluster, right: Cluster) => rankOf(left) - rankOf(right);
