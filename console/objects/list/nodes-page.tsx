import Link from '@cloudscape-design/components/link';
import { type Node, nodes } from '../../model/kinds.tsx';
import { href } from '../../ui/route.tsx';
import type { Column } from '../cells/column.ts';
import { healthColumn } from '../cells/health-status.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { changedColumn, fieldColumn, zoneColumn } from '../cells/text-column.tsx';
import { ListPage } from './list-page.tsx';

const columns: readonly Column<Node>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    sortBy: 'node_name',
    textOf: nodes.nameOf,
    cell: (node) => <NameLink kind={nodes} object={node} />,
  },
  healthColumn,
  fieldColumn('node_type', 'Type', { id: 'type' }),
  fieldColumn('address', 'Address', { spare: true }),
  fieldColumn('region', 'Region'),
  fieldColumn('az', 'Zone', { besideRegion: zoneColumn }),
  fieldColumn('distro', 'Distribution', { optional: true }),
  { ...changedColumn, spare: true },
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
