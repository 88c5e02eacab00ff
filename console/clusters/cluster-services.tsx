import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { requestOf } from '../api/client.tsx';
import { type Service, services } from '../model/kinds.tsx';
import { healthColumn } from '../objects/cells/health-status.tsx';
import { NameLink } from '../objects/cells/name-link.tsx';
import { AgentNames } from '../objects/list/agent-list.tsx';
import { environmentColumn, runsOnColumn } from '../objects/list/service-columns.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { useMay } from '../ui/caller-context.tsx';
import { LoadedAtContext } from '../ui/loaded-at.tsx';
import { href } from '../ui/route.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { Small } from '../ui/small.tsx';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import { isGood, MAX_MEMBERS, type Members } from './load-members.tsx';
import { useFolded } from './use-folded.tsx';
import { numberText } from '../ui/words.ts';

const PAGE_SIZE = 50;

const columnsOf = ({ agents }: Members): readonly BaseColumn<Service>[] => [
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
  {
    id: 'agents',
    header: 'Agents',
    cell: ({ service_id: id }) => <AgentNames of={agents.get(id) ?? []} />,
  },
  environmentColumn,
];

interface Props {
  cluster: string;
  members: Members;
  loadedAt: number | undefined;
}

/** The services of a cluster, the worst first. The live ones are folded. */
export function ClusterServices({ cluster, members, loadedAt }: Props) {
  const narrow = useNarrow();
  const mayAdd = useMay(services.contracts.add);
  const { services: all, hasMore } = members;
  const { visible, button } = useFolded(all, isGood, 'service');
  const columns = columnsOf(members);
  const { items, ...page } = usePagedItems(visible, PAGE_SIZE);
  const query = { cluster, include: 'state', page_size: MAX_MEMBERS };
  return (
    <LoadedAtContext value={loadedAt}>
      <Table
        items={items}
        {...page}
        trackBy="service_id"
        ariaLabels={{ tableLabel: 'Services of the cluster' }}
        columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
        footer={button}
        header={
          <Header
            variant="h2"
            counter={`(${numberText(all.length)}${hasMore ? '+' : ''})`}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <ShowCurl what="Services of the cluster" request={requestOf(services.contracts.list, { query })} />
                {mayAdd && <Button href={href(['services', 'add'], { cluster })}>Add a service to the cluster</Button>}
              </SpaceBetween>
            }
          >
            Services of the cluster
          </Header>
        }
        empty={
          <Box textAlign="center" color="text-body-secondary">
            No service has this cluster. The match is exact and case-sensitive.
          </Box>
        }
      />
    </LoadedAtContext>
  );
}
