import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../model/kinds.tsx';
import { type Column, ObjectTable, useObjects } from './object-table.tsx';

const PAGE_SIZE = 10;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  filters: ListQuery;
  columns: readonly Column<T>[];
  title: string;
  none: string;
  actions?: ReactNode;
}

/** What is related to an object: a list of its own, page by page. */
export function RelationTable<T extends InventoryObject>({ kind, filters, columns, title, none, actions }: Props<T>) {
  const pages = useObjects(kind, filters, PAGE_SIZE);
  return (
    <ObjectTable
      kind={kind}
      pages={pages}
      columns={columns}
      variant="container"
      title={title}
      actions={actions}
      empty={
        <Box textAlign="center" color="text-body-secondary">
          {none}
        </Box>
      }
    />
  );
}
