import Link from '@cloudscape-design/components/link';
import { nodes, type Service, textOf } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import { FirstLink, ObjectLinks } from '../cells/object-link.tsx';
import type { Column } from '../cells/column.ts';
import { Words } from '../../ui/breakable-text.tsx';
import { textCell } from '../cells/text-column.tsx';

/** The width of a name of usual length, in pixels. */
const NAME_WIDTH = 215;

/** The address of a service, `10.0.0.1:3306`, or its socket. */
export function endpointOf(service: Service): string | undefined {
  const address = textOf(service, 'address');
  if (address === undefined) return textOf(service, 'socket');
  return `${address.includes(':') ? `[${address}]` : address}:${textOf(service, 'port') ?? ''}`;
}

export const runsOnColumn: Column<Service> = {
  id: 'node_ids',
  header: 'Runs on',
  sortBy: 'node_ids',
  minWidth: NAME_WIDTH,
  cell: ({ node_ids: ids }) => <ObjectLinks kind={nodes} ids={ids} max={3} />,
};

/** For a list with one line per row. */
export const firstNodeColumn: Column<Service> = {
  ...runsOnColumn,
  width: 175,
  cell: ({ node_ids: ids }) => <FirstLink kind={nodes} ids={ids} />,
};

export const clusterColumn: Column<Service> = {
  id: 'cluster',
  header: 'Cluster',
  sortBy: 'cluster',
  textOf: (service) => textOf(service, 'cluster') ?? '-',
  cell: (service) => {
    const cluster = textOf(service, 'cluster');
    return cluster === undefined ? (
      '-'
    ) : (
      <Link href={href(['clusters', cluster])} ariaLabel={cluster}>
        <Words text={cluster} />
      </Link>
    );
  },
};

/** For a list without a column of the environment. */
export const clusterColumnWithEnvironment: Column<Service> = {
  ...clusterColumn,
  textOf: (service) => `${clusterColumn.textOf?.(service) ?? ''} ${textOf(service, 'environment') ?? ''}`.trimEnd(),
  cell: (service) => {
    const environment = textOf(service, 'environment');
    return (
      <>
        {clusterColumn.cell(service)}
        {environment !== undefined && <span className="secondary"> {environment}</span>}
      </>
    );
  },
};

export const environmentColumn: Column<Service> = {
  id: 'environment',
  header: 'Environment',
  sortBy: 'environment',
  ...textCell((service) => textOf(service, 'environment') ?? '-'),
};
