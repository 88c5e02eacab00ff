import { nodes, type Service, services } from '../../model/kinds.tsx';
import type { Column } from '../cells/column.ts';
import { healthColumn } from '../cells/health-status.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { RelatedValue } from '../cells/related-value.tsx';
import { changedColumn, fieldColumn, textCell } from '../cells/text-column.tsx';
import { ListPage } from './list-page.tsx';
import { clusterColumnWithEnvironment, endpointOf, environmentColumn, firstNodeColumn } from './service-columns.tsx';

const columns: readonly Column<Service>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    sortBy: 'service_name',
    textOf: services.nameOf,
    cell: (service) => <NameLink kind={services} object={service} />,
  },
  healthColumn,
  fieldColumn('service_type', 'Type', { id: 'type' }),
  firstNodeColumn,
  clusterColumnWithEnvironment,
  { ...environmentColumn, optional: true },
  {
    id: 'region',
    header: 'Region',
    optional: true,
    width: 150,
    cell: ({ node_ids: ids }) => <RelatedValue kind={nodes} ids={ids} field="region" />,
  },
  {
    id: 'az',
    header: 'Zone',
    optional: true,
    width: 150,
    cell: ({ node_ids: ids }) => <RelatedValue kind={nodes} ids={ids} field="az" />,
  },
  fieldColumn('version', 'Version', { spare: true }),
  fieldColumn('port', 'Port', { optional: true }),
  {
    id: 'address',
    header: 'Address',
    spare: true,
    sortBy: 'address',
    ...textCell((service) => endpointOf(service) ?? '-'),
  },
  { ...changedColumn, optional: true },
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
