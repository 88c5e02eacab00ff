import { nodes, textOf } from '../../model/kinds.tsx';
import { healthColumn } from '../cells/health-status.tsx';
import { ListPage } from './list-page.tsx';
import { Moment } from '../../ui/moment.tsx';
import type { Column } from '../cells/column.ts';
import { NameLink } from '../cells/name-link.tsx';
import type { Node } from '../../model/kinds.tsx';
import Link from '@cloudscape-design/components/link';
import { href } from '../../ui/route.tsx';
import { Words } from '../../ui/breakable-text.tsx';

const columns: readonly Column<Node>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    sortBy: 'node_name',
    width: 220,
    cell: (node) => <NameLink kind={nodes} object={node} />,
  },
  healthColumn,
  { id: 'type', header: 'Type', sortBy: 'node_type', width: 110, cell: (node) => <Words text={node.node_type} /> },
  {
    id: 'address',
    header: 'Address',
    spare: true,
    sortBy: 'address',
    width: 190,
    cell: (node) => <Words text={node.address} />,
  },
  {
    id: 'region',
    header: 'Region',
    sortBy: 'region',
    width: 130,
    cell: (node) => <Words text={textOf(node, 'region') ?? '-'} />,
  },
  {
    id: 'az',
    header: 'Zone',
    sortBy: 'az',
    width: 130,
    cell: (node) => <Words text={textOf(node, 'az') ?? '-'} />,
  },
  {
    id: 'distro',
    header: 'Distribution',
    optional: true,
    sortBy: 'distro',
    width: 130,
    cell: (node) => <Words text={textOf(node, 'distro') ?? '-'} />,
  },
  {
    id: 'updated_at',
    header: 'Changed',
    spare: true,
    sortBy: 'updated_at',
    width: 130,
    cell: (node) => <Moment time={node.updated_at} />,
  },
];

export function NodesPage() {
  return (
    <ListPage
      kind={nodes}
      columns={columns}
      firstSteps={
        <>
          Services and agents run on nodes. Add the first node here, or with an API key from a program:{' '}
          <Link href={href(['quick-start'])}>Quick start</Link>.
        </>
      }
    />
  );
}
