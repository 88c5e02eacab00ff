import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { clusterGroups, clusterProperties } from '../model/clusters.ts';
import { GroupChoice, GroupList } from '../objects/list/group-list.tsx';
import { wordText } from '../objects/list/filter-suggestions.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';
import { labelOf } from '../ui/words.ts';

/** The properties by which clusters are grouped, and the groups of the chosen one, which narrow the list. */
export function ClusterGroups({ clusters, children }: { clusters: readonly Cluster[]; children: ReactNode }) {
  const {
    query: { group_by: groupBy, ...filters },
  } = useRoute();
  const by = clusterProperties.find((property) => property === groupBy);
  const choose = (property: string) =>
    replace(href(['clusters'], { ...filters, ...(property === groupBy ? {} : { group_by: property }) }));
  return (
    <SpaceBetween size="xs">
      <GroupChoice properties={clusterProperties} chosen={groupBy} choose={choose}>
        {children}
      </GroupChoice>
      {by !== undefined && (
        <GroupList
          label={`Clusters by ${labelOf(by)}`}
          groups={clusterGroups(clusters, by).map((group) => ({
            ...group,
            ...(by === 'state' || by === 'live_members' ? { text: wordText(group.value) } : {}),
            to: href(['clusters'], { ...filters, [by]: group.value }),
          }))}
        />
      )}
    </SpaceBetween>
  );
}
