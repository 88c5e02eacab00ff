import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { byLiveShare, countsText, lookOfAll, type StateCounts, worstFirst, worstOf } from '../model/health.ts';
import { StateBar } from '../objects/cells/state-bar.tsx';

/** The members in each state, as a bar and as numbers. Only a cluster without a live member is red. */
export function ClusterHealth({ counts }: { counts: StateCounts }) {
  const text = countsText(counts);
  return (
    <span className="cluster-health">
      <StateBar counts={counts} />
      {lookOfAll(counts) === 'error' ? (
        <StatusIndicator type="error" wrapText={false} iconAriaLabel="None is live">
          {text}
        </StatusIndicator>
      ) : (
        text
      )}
    </span>
  );
}

const rankOf = ({ services_by_state: counts }: Cluster) => worstFirst.indexOf(worstOf(counts) ?? 'live');

/** The smallest share of live services first; of equal ones the worst state. */
export const byHealth = (left: Cluster, right: Cluster) =>
  byLiveShare(left.services_by_state, right.services_by_state) || rankOf(left) - rankOf(right);
