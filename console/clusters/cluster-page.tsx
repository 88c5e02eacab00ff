import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type Service, services } from '../model/kinds.tsx';
import { requestOf } from '../api/client.tsx';
import { IDS_PER_CALL } from '../model/read-all.tsx';
import { useDashboards } from '../model/dashboards.tsx';
import { reloadShown } from '../api/queries.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { href, useRoute } from '../ui/route.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { Topology } from '../topology/topology.tsx';
import { DashboardLinks } from '../objects/page/dashboard-links.tsx';
import { AgentList } from '../objects/list/agent-list.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { healthColumn } from '../objects/cells/health-status.tsx';
import { ClusterNodes } from './cluster-nodes.tsx';
import { NameLink } from '../objects/cells/name-link.tsx';
import type { Column } from '../objects/cells/column.ts';
import { ObjectTable } from '../objects/list/object-table.tsx';
import { useObjects } from '../objects/list/use-objects.tsx';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { environmentColumn, runsOnColumn } from '../objects/list/service-columns.tsx';
import { Small } from '../ui/small.tsx';

/** The agents of one page are read with one request. */
const PAGE_SIZE = IDS_PER_CALL;

const columns: readonly Column<Service>[] = [
  {
    id: 'name',
    header: 'Service',
    isRowHeader: true,
    minWidth: 150,
    cell: (service) => (
      <>
        <NameLink kind={services} object={service} />
        <Small>{service.service_type}</Small>
      </>
    ),
  },
  healthColumn,
  runsOnColumn,
  { id: 'agents', header: 'Agents', cell: ({ service_id: id }) => <AgentList relation="service_id" id={id} /> },
  environmentColumn,
];

/** One cluster: its services with their nodes and agents, as the server finds them by the name of the cluster. */
export function ClusterPage() {
  const [, name = ''] = useRoute().segments;
  const narrow = useNarrow();
  usePageTitle(name, [{ text: 'Clusters', href: href(['clusters']) }]);
  const dashboards = useDashboards({ cluster: name });
  const pages = useObjects(services, { cluster: name }, PAGE_SIZE);
  const mayAdd = useMay(services.contracts.add);
  const nodeIds = [...new Set(pages.objects.flatMap(({ node_ids: ids }) => ids))];

  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={
          <SpaceBetween direction="horizontal" size="m">
            <span>Cluster</span>
            <DashboardLinks links={dashboards} inline />
          </SpaceBetween>
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <RefreshControl
              what="the cluster"
              loading={pages.loading}
              isFailed={pages.failure !== undefined && !pages.loading}
              loadedAt={pages.loadedAt}
              reload={() => {
                pages.reload();
                reloadShown();
              }}
            />
            <Button href={href(['agents'], { cluster: name })}>Agents of the cluster</Button>
          </SpaceBetween>
        }
      >
        <span className="any-word">{name}</span>
      </Header>
      <ObjectTable
        kind={services}
        pages={pages}
        columns={narrow ? [stackedColumn(columns)] : columns}
        variant="container"
        title="Services of the cluster"
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <ShowCurl
              what="Services of the cluster"
              request={requestOf(services.contracts.list, {
                query: { cluster: name, include: 'state', page_size: PAGE_SIZE },
              })}
            />
            {mayAdd && (
              <Button href={href(['services', 'add'], { cluster: name })}>Add a service to the cluster</Button>
            )}
          </SpaceBetween>
        }
        empty={
          <Box textAlign="center" color="text-body-secondary">
            No service has this cluster. The match is exact and case-sensitive.
          </Box>
        }
      />
      {pages.objects.length > 0 && (
        <Topology subject={{ kind: 'cluster', name, services: pages.objects, hasMore: pages.hasMore }} />
      )}
      {nodeIds.length > 0 && <ClusterNodes ids={nodeIds} />}
    </SpaceBetween>
  );
}
