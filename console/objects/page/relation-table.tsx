import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { requestOf } from '../../api/client.tsx';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { ShowCurl } from '../../ui/show-curl.tsx';
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
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <ShowCurl
            what={title}
            request={requestOf(kind.contracts.list, {
              query: { ...filters, include: 'state', page_size: PAGE_SIZE },
            })}
          />
          {actions}
        </SpaceBetween>
      }
      empty={
        <Box textAlign="center" color="text-body-secondary">
          {none}
        </Box>
      }
    />
  );
}
