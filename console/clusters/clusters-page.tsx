import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { type ApiFailure, requestOf } from '../api/client.tsx';
import { fits } from '../model/clusters.ts';
import { clustersQuery, loadClusters } from '../model/load-clusters.tsx';
import { COSTLY_STATES_MS } from '../ui/auto-refresh.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { Words } from '../ui/breakable-text.tsx';
import { cardColumn } from '../ui/stacked-column.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { go, href, useRoute } from '../ui/route.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { SortMenu } from '../objects/list/group-list.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import { EmptyTable } from '../ui/whole-table.tsx';
import { RemoveDeadCluster } from './cluster-actions.tsx';
import { ClusterFilter } from './cluster-filter.tsx';
import { byHealth, byLiveMembers, ClusterHealth, LiveMembers } from './cluster-health.tsx';
import { numberText } from '../ui/words.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';

const ROWS_PER_PAGE = 50;

const listed = (values: readonly string[]) => (values.length === 0 ? '-' : values.join(', '));

/** The orders of the list, by the ids of the columns. */
const orders: Readonly<Record<string, (left: Cluster, right: Cluster) => number>> = {
  name: (left, right) => byNumbers(left.cluster, right.cluster),
  services: (left, right) => left.services - right.services,
  live: byLiveMembers,
  health: byHealth,
  nodes: (left, right) => left.nodes - right.nodes,
};

interface ClusterColumn extends BaseColumn<Cluster> {
  sortingField?: string;
}

const columns: ClusterColumn[] = [
  {
    id: 'name',
    header: 'Cluster',
    sortingField: 'name',
    isRowHeader: true,
    cell: ({ cluster }) => (
      <Link href={href(['clusters', cluster])}>
        <Words text={cluster} />
      </Link>
    ),
  },
  {
    id: 'live',
    header: 'Live members',
    sortingField: 'live',
    cell: (cluster) => <LiveMembers cluster={cluster} />,
  },
  {
    id: 'health',
    header: 'Health',
    sortingField: 'health',
    cell: ({ services_by_state: counts }) => <ClusterHealth counts={counts} />,
  },
  { id: 'services', header: 'Services', sortingField: 'services', cell: ({ services }) => numberText(services) },
  { id: 'nodes', header: 'Nodes', sortingField: 'nodes', cell: ({ nodes }) => numberText(nodes) },
  { id: 'types', header: 'Types', cell: ({ services_by_type: counts }) => listed(Object.keys(counts).sort(byNumbers)) },
  { id: 'regions', header: 'Regions', cell: ({ regions = [] }) => listed(regions) },
  { id: 'environments', header: 'Environments', cell: ({ environments }) => listed(environments) },
  { id: 'actions', header: 'Actions', cell: (cluster) => <RemoveDeadCluster of={cluster} /> },
];

const sortable = columns.filter(({ sortingField }) => sortingField !== undefined);

/** For narrow windows. */
const card = cardColumn(columns);

interface NoClustersProps {
  failure: ApiFailure | undefined;
  retry: () => void;
  isFiltered: boolean;
}

/** In place of the rows. */
function NoClusters({ failure, retry, isFiltered }: NoClustersProps) {
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The clusters could not be loaded" retry={retry} />;
  const hint = isFiltered ? undefined : 'To add a service to a cluster, set its field Cluster.';
  return <EmptyTable title={isFiltered ? 'No cluster matches' : 'No clusters'} hint={hint} />;
}

/** The clusters that services name, with their counts. */
export function ClustersPage() {
  usePageTitle('Clusters');
  const narrow = useNarrow();
  const [filter, setFilter] = useState('');
  const {
    query: { group_by: _groupBy, ...query },
  } = useRoute();
  const { value: all = [], loading, failure, loadedAt, reload } = useLoad('clusters', loadClusters, COSTLY_STATES_MS);
  const [order, setOrder] = useState({ column: 'live', isDescending: false });
  const sorted = all
    .filter((cluster) => cluster.cluster.toLowerCase().includes(filter.toLowerCase()) && fits(cluster, query))
    .sort((left, right) => (orders[order.column]?.(left, right) ?? 0) || byNumbers(left.cluster, right.cluster));
  const matching = order.isDescending ? sorted.toReversed() : sorted;
  const isFiltered = filter !== '' || Object.keys(query).length > 0;
  const page = usePagedItems(matching, ROWS_PER_PAGE);
  const isFirstLoad = loading && all.length === 0;

  return (
    <Table
      variant="full-page"
      stickyHeader
      enableKeyboardNavigation={!narrow}
      contentDensity="compact"
      {...page}
      trackBy="cluster"
      sortingColumn={{ sortingField: order.column }}
      sortingDescending={order.isDescending}
      onSortingChange={({ detail: { sortingColumn, isDescending = false } }) =>
        setOrder({ column: sortingColumn.sortingField ?? 'live', isDescending })
      }
      loading={isFirstLoad}
      loadingText="Loading clusters"
      ariaLabels={{ tableLabel: 'Clusters' }}
      columnDefinitions={narrow && card !== undefined ? [card] : columns}
      header={
        <Header
          variant="awsui-h1-sticky"
          counter={
            isFirstLoad || failure !== undefined
              ? undefined
              : `(${isFiltered ? `${numberText(matching.length)}/` : ''}${numberText(all.length)})`
          }
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <RefreshControl
                what="the clusters"
                loading={loading && !isFirstLoad}
                isFailed={failure !== undefined && !loading}
                loadedAt={loadedAt}
                reload={reload}
              />
              <ShowCurl what="Clusters" request={requestOf(listClusters, { query: clustersQuery })} />
            </SpaceBetween>
          }
        >
          Clusters
        </Header>
      }
      filter={
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (filter !== '') go(href(['clusters', filter]));
          }}
        >
          <ClusterFilter text={filter} clusters={all} matches={matching} onChange={setFilter}>
            <SortMenu columns={sortable} order={order} sort={setOrder} />
          </ClusterFilter>
        </form>
      }
      empty={<NoClusters failure={failure} retry={reload} isFiltered={isFiltered} />}
    />
  );
}
