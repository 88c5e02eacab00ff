import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { href } from '../../ui/route.tsx';
import type { Column } from '../cells/column.ts';
import { ObjectTable } from '../list/object-table.tsx';
import { useObjects } from '../list/use-objects.tsx';

const PAGE_SIZE = 10;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  filters: ListQuery;
  columns: readonly Column<T>[];
  title: string;
  none: string;
  /** Has its place before the rows are loaded. */
  usualRows?: number;
  /** The link to the form that adds a related object, and the fields that it sets. */
  add?: { text: string; query: Readonly<Record<string, string>> };
}

/** A table, page by page, of the objects that are related to one object. */
export function RelationTable<T extends InventoryObject>(props: Props<T>) {
  const { kind, filters, columns, title, none, usualRows, add } = props;
  const mayAdd = useMay(kind.contracts.add);
  const pages = useObjects(kind, filters, PAGE_SIZE);
  return (
    <ObjectTable
      kind={kind}
      pages={pages}
      columns={columns}
      variant="container"
      title={title}
      usualRows={usualRows}
      actions={add !== undefined && mayAdd && <Button href={href([kind.folder, 'add'], add.query)}>{add.text}</Button>}
      empty={
        <Box textAlign="center" color="text-body-secondary">
          {none}
        </Box>
      }
    />
  );
}
