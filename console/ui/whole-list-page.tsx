import Button from '@cloudscape-design/components/button';
import type { ComponentProps, ReactNode } from 'react';
import type { BaseColumn } from './base-column.ts';
import { Words } from './breakable-text.tsx';
import { Moment } from './moment.tsx';
import { type Crumb, usePageTitle } from './page-title.tsx';
import type { Loading } from './use-load.tsx';
import { useNarrow } from './use-narrow.tsx';
import { EmptyTable, WholeTable } from './whole-table.tsx';

/** A column, with the widths of a wide window. */
export interface ListColumn<T> extends BaseColumn<T> {
  /** Not shown in a narrow window. */
  isWideOnly?: boolean;
}

export const createdColumn: ListColumn<{ created_at: string }> = {
  id: 'created',
  header: 'Created',
  isWideOnly: true,
  cell: ({ created_at: time }) => <Moment time={time} exact />,
};

export const creatorColumn: ListColumn<{ created_by: { name: string } }> = {
  id: 'creator',
  header: 'Created by',
  isWideOnly: true,
  cell: ({ created_by: { name } }) => <Words text={name} />,
};

const narrowed = <T,>(columns: readonly ListColumn<T>[]) =>
  columns
    .filter(({ isWideOnly }) => isWideOnly !== true)
    .map(({ width: _width, minWidth: _minWidth, ...column }) => column);

type TableOf<T> = ComponentProps<typeof WholeTable<T>>;

interface Props<T> extends Omit<TableOf<T>, 'list' | 'items' | 'count' | 'columns' | 'empty'> {
  /** The breadcrumbs before the page. */
  above?: readonly Crumb[];
  list: Pick<Loading<readonly T[]>, 'value' | 'loading' | 'failure' | 'reload'>;
  /** Default: those of the list. */
  items?: readonly T[];
  /** Default: the length of the list. */
  count?: number | string;
  columns: readonly ListColumn<T>[];
  /** The button that adds an item, also in the empty list. */
  add?: { text: string; act: () => void };
  /** Further buttons, before it. */
  action?: ReactNode;
  empty: { title: string; hint?: string; action?: ReactNode };
  /** The open dialog. */
  dialog?: ReactNode;
}

/** A page that is one list, which is loaded as a whole. */
export function WholeListPage<T>({ above, list, columns, add, action, empty, dialog, ...table }: Props<T>) {
  usePageTitle(table.title, above);
  const narrow = useNarrow();
  const { value: items = [] } = list;
  const addButton = add && (
    <Button variant="primary" onClick={add.act}>
      {add.text}
    </Button>
  );
  return (
    <>
      <WholeTable
        items={items}
        count={items.length}
        {...table}
        list={list}
        columns={narrow ? narrowed(columns) : columns}
        action={
          <>
            {action}
            {addButton}
          </>
        }
        empty={<EmptyTable action={addButton} {...empty} />}
      />
      {dialog}
    </>
  );
}
