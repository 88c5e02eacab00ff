import { type Service, services } from '../inventory/kinds.tsx';
import { stateColumn } from '../parts/life-state.tsx';
import { ListPage } from '../parts/list-page.tsx';
import type { Column } from '../parts/object-table.tsx';
import { NameLink } from '../parts/name-link.tsx';
import { clusterColumn, endpointOf, environmentColumn, runsOnColumn } from '../parts/service-columns.tsx';
import { Words } from '../parts/words.tsx';

const columns: readonly Column<Service>[] = [
  { id: 'name', header: 'Name', isRowHeader: true, cell: (service) => <NameLink kind={services} object={service} /> },
  stateColumn,
  { id: 'type', header: 'Type', wide: true, cell: (service) => <Words text={service.service_type} /> },
  runsOnColumn,
  clusterColumn,
  environmentColumn,
  {
    id: 'address',
    header: 'Address',
    wide: true,
    cell: (service) => <Words text={endpointOf(service) ?? '-'} />,
  },
];

export function ServicesPage() {
  return (
    <ListPage
      kind={services}
      columns={columns}
      firstSteps="A service is a database or a proxy. Add the nodes that it runs on first, if there are any."
    />
  );
}
