import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { type ApiFailure, requestOf } from '../api/client.tsx';
import { fits } from '../model/clusters.ts';
import { countsText, isDead } from '../model/health.ts';
import { services } from '../model/kinds.tsx';
import { clustersQuery, loadClusters } from '../model/load-clusters.tsx';
import { COSTLY_STATES_MS } from '../ui/auto-refresh.tsx';
import type { Column } from '../objects/cells/column.ts';
import { Words } from '../ui/breakable-text.tsx';
import { cardColumn } from '../ui/stacked-column.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { go, href, useRoute } from '../ui/route.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { STATE_BAR_ROOM } from '../objects/cells/state-bar.tsx';
import { textCell } from '../objects/cells/text-column.tsx';
import { SortMenu } from '../objects/list/group-list.tsx';
import { filledColumns, NO_TEXT, oneLineColumns, roomyColumns } from '../objects/list/one-line-columns.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { useRoom } from '../ui/room.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import { EmptyTable } from '../ui/whole-table.tsx';
import { RemoveDeadCluster } from './cluster-actions.tsx';
import { ClusterFilter } from './cluster-filter.tsx';
import { byHealth, ClusterHealth } from './cluster-health.tsx';
import { numberText } from '../ui/words.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';

const ROWS_PER_PAGE = 50;

const listed = (values: readonly string[]) => (values.length === 0 ? NO_TEXT : values.join(', '));

/** The orders of the list, by the ids of the columns. */
const orders: Readonly<Record<string, (left: Cluster, right: Cluster) => number>> = {
  name: (left, right) => byNumbers(left.cluster, right.cluster),
  health: byHealth,
  services: (left, right) => left.services - right.services,
  nodes: (left, right) => left.nodes - right.nodes,
};

interface ClusterColumn extends Column<Cluster> {
  sortingField?: string;
}

const columns: readonly ClusterColumn[] = [
  {
    id: 'name',
    header: 'Cluster',
    sortingField: 'name',
    isRowHeader: true,
    textOf: ({ cluster }) => cluster,
    cell: ({ cluster }) => (
      <Link href={href(['clusters', cluster])} ariaLabel={cluster}>
        <Words text={cluster} />
      </Link>
    ),
  },
  {
    id: 'health',
    header: 'Health',
    sortingField: 'health',
    textOf: ({ services_by_state: counts }) => countsText(counts),
    besideText: STATE_BAR_ROOM,
    cell: ({ services_by_state: counts }) => <ClusterHealth counts={counts} />,
  },
  {
    id: 'services',
    header: 'Services',
    sortingField: 'services',
    spare: true,
    ...textCell(({ services }) => numberText(services)),
  },
  { id: 'nodes', header: 'Nodes', sortingField: 'nodes', ...textCell(({ nodes }) => numberText(nodes)) },
  {
    id: 'types',
    header: 'Types',
    spare: true,
    ...textCell(({ services_by_type: counts }) => listed(Object.keys(counts).sort(byNumbers))),
  },
  { id: 'regions', header: 'Regions', spare: true, ...textCell(({ regions = [] }) => listed(regions)) },
  { id: 'environments', header: 'Environments', spare: true, ...textCell(({ environments }) => listed(environments)) },
];

/** Only rows of dead clusters have a button. */
const actionsColumn: ClusterColumn = {
  id: 'actions',
  header: 'Actions',
  cell: (cluster) => <RemoveDeadCluster of={cluster} />,
};

const sortable = columns.filter(({ sortingField }) => sortingField !== undefined);

/** For narrow windows. */
const card = cardColumn([...columns, actionsColumn]);

/** The columns that have a value on the page, or the card. */
function useDefinitions(clusters: readonly Cluster[]): readonly ClusterColumn[] {
  const narrow = useNarrow();
  const { room, width } = useRoom();
  const mayRemove = useMay(services.contracts.remove);
  // Stays once a dead cluster was shown: a dialog of its row may be open.
  const [hasActions, setHasActions] = useState(false);
  if (!hasActions && mayRemove && clusters.some(({ services_by_state: counts }) => isDead(counts))) setHasActions(true);
  if (narrow && card !== undefined) return [card];
  const shown = roomyColumns(hasActions ? [...columns, actionsColumn] : columns, room);
  return oneLineColumns(filledColumns(shown, clusters), clusters, width);
}

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
  const [order, setOrder] = useState({ column: 'health', isDescending: false });
  const sorted = all
    .filter((cluster) => cluster.cluster.toLowerCase().includes(filter.toLowerCase()) && fits(cluster, query))
    .sort((left, right) => (orders[order.column]?.(left, right) ?? 0) || byNumbers(left.cluster, right.cluster));
  const matching = order.isDescending ? sorted.toReversed() : sorted;
  const isFiltered = filter !== '' || Object.keys(query).length > 0;
  const page = usePagedItems(matching, ROWS_PER_PAGE);
  const isFirstLoad = loading && all.length === 0;
  const definitions = useDefinitions(page.items);

  return (
    <Table
      variant="full-page"
      stickyHeader
      enableKeyboardNavigation={!narrow}
      contentDensity="compact"
      {...page}
      wrapLines={narrow}
      trackBy="cluster"
      sortingColumn={{ sortingField: order.column }}
      sortingDescending={order.isDescending}
      onSortingChange={({ detail: { sortingColumn, isDescending = false } }) =>
        setOrder({ column: sortingColumn.sortingField ?? 'health', isDescending })
      }
      loading={isFirstLoad}
      loadingText="Loading clusters"
      ariaLabels={{ tableLabel: 'Clusters' }}
      columnDefinitions={definitions}
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
