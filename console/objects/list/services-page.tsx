import { nodes, type Service, services, textOf } from '../../model/kinds.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { ListPage } from './list-page.tsx';
import type { Column } from '../cells/column.ts';
import { RelatedValue } from '../cells/related-value.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { clusterColumnWithEnvironment, endpointOf, environmentColumn, firstNodeColumn } from './service-columns.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Words } from '../../ui/breakable-text.tsx';

const columns: readonly Column<Service>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    sortBy: 'service_name',
    width: 170,
    cell: (service) => <NameLink kind={services} object={service} />,
  },
  healthColumn,
  {
    id: 'type',
    header: 'Type',
    sortBy: 'service_type',
    width: 105,
    cell: (service) => <Words text={service.service_type} />,
  },
  firstNodeColumn,
  clusterColumnWithEnvironment,
  { ...environmentColumn, optional: true },
  {
    id: 'region',
    header: 'Region',
    optional: true,
    cell: ({ node_ids: ids }) => <RelatedValue kind={nodes} ids={ids} field="region" />,
  },
  {
    id: 'az',
    header: 'Zone',
    optional: true,
    cell: ({ node_ids: ids }) => <RelatedValue kind={nodes} ids={ids} field="az" />,
  },
  {
    id: 'version',
    header: 'Version',
    spare: true,
    sortBy: 'version',
    width: 90,
    cell: (service) => <Words text={textOf(service, 'version') ?? '-'} />,
  },
  {
    id: 'port',
    header: 'Port',
    optional: true,
    sortBy: 'port',
    cell: (service) => textOf(service, 'port') ?? '-',
  },
  {
    id: 'address',
    header: 'Address',
    spare: true,
    sortBy: 'address',
    width: 200,
    cell: (service) => <Words text={endpointOf(service) ?? '-'} />,
  },
  {
    id: 'updated_at',
    header: 'Changed',
    optional: true,
    sortBy: 'updated_at',
    cell: (service) => <Moment time={service.updated_at} />,
  },
];

export function ServicesPage() {
  return (
    <ListPage
      kind={services}
      columns={columns}
      firstSteps="A service is a database or a proxy. Add its nodes first, if it has any."
    />
  );
}
