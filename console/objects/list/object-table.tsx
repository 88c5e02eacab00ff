import type { Column } from '../cells/column.ts';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { cardColumn } from '../../ui/stacked-column.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import type { ListOrder } from './list-address.ts';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { RefreshControl } from '../../ui/refresh-control.tsx';
import { momentText } from '../../ui/time-format.ts';
import { oneLineColumns, roomyColumns } from './one-line-columns.tsx';
import { type Room, useRoom } from '../../ui/room.tsx';
import { useNarrow, useShort } from '../../ui/use-narrow.tsx';
import type { Pages } from '../../ui/use-pages.tsx';
import { numberText } from '../../ui/words.ts';

/** `(1,234)`; with a selection `(2/1,234)`. `(51-75+)` while the number of all objects is unknown. */
function counterOf(
  { objects, before, hasMore, loading, failure }: Pages<unknown>,
  total: number | undefined,
  selected: number,
): string | undefined {
  if (failure !== undefined || (loading && objects.length === 0)) return undefined;
  if (total !== undefined) return `(${selected > 0 ? `${numberText(selected)}/` : ''}${numberText(total)})`;
  const to = before + objects.length;
  if (before === 0) return `(${numberText(to)}${hasMore ? '+' : ''})`;
  return `(${numberText(before + 1)}-${numberText(to)}${hasMore ? '+' : ''})`;
}

/** The preferences, selection and order of a list. */
export interface ListControls<T> {
  total: number | undefined;
  /** When the total was counted; undefined for now. */
  countedAt: string | undefined;
  wrapLines: boolean;
  density: 'comfortable' | 'compact';
  preferences: ReactNode;
  selected: readonly T[];
  select: (objects: readonly T[]) => void;
  order: ListOrder | undefined;
  setOrder: (order: ListOrder) => void;
}

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  pages: Pages<T>;
  columns: readonly Column<T>[];
  variant: 'full-page' | 'container';
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  filter?: ReactNode;
  empty: ReactNode;
  /** The usual number of rows: it has its place before they are loaded, so that what follows does not move. */
  usualRows?: number | undefined;
  /** Clears the filters, if the server refuses them. */
  clear?: (() => void) | undefined;
  controls?: ListControls<T>;
}

/** The properties of the table that follow from the controls of a list. */
function controlled<T extends InventoryObject>(
  columns: readonly Column<T>[],
  controls: ListControls<T> | undefined,
  isOneLine: boolean,
) {
  if (controls === undefined) return { wrapLines: true };
  const { order, setOrder, selected, select } = controls;
  const sorting = columns.find(({ id }) => id === order?.column);
  return {
    wrapLines: !isOneLine,
    contentDensity: controls.density,
    preferences: controls.preferences,
    selectionType: 'multi',
    selectedItems: selected,
    onSelectionChange: ({ detail }: { detail: TableProps.SelectionChangeDetail<T> }) => select(detail.selectedItems),
    ...(sorting === undefined ? {} : { sortingColumn: { sortingField: sorting.id } }),
    sortingDescending: order?.descending ?? false,
    onSortingChange: ({ detail }: { detail: TableProps.SortingState<T> }) => {
      const column = columns.find(({ id }) => id === detail.sortingColumn.sortingField);
      if (column?.sortBy === undefined) return;
      setOrder({ column: column.id, sortBy: column.sortBy, descending: detail.isDescending ?? false });
    },
  } as const;
}

/** Of the column of the checkboxes, in pixels. */
const SELECTION_WIDTH = 42;

/** The columns that the room allows, or the cards. */
function definitionsOf<T extends InventoryObject>(
  columns: readonly Column<T>[],
  objects: readonly T[],
  { isSortable, isOneLine, narrow, room, width: pageWidth }: Layout,
) {
  const card = narrow ? cardColumn(columns) : undefined;
  const shown = card === undefined ? roomyColumns(columns, room) : [card];
  const sized = isOneLine
    ? oneLineColumns(shown, objects, pageWidth - SELECTION_WIDTH)
    : shown.map((column) => ({ ...column, minWidth: room === 'ample' ? column.minWidth : undefined }));
  return sized.map(({ sortBy, width: _width, ...column }): TableProps.ColumnDefinition<T> => ({
    ...column,
    ...(isSortable && sortBy !== undefined ? { sortingField: column.id } : {}),
  }));
}

interface Layout {
  isSortable: boolean;
  isOneLine: boolean;
  narrow: boolean;
  room: Room;
  /** That of the page, in pixels. */
  width: number;
}

/** A list has one line per row where there is room for it, unless its user wants whole texts. */
function useLayout<T>(controls: ListControls<T> | undefined): Layout {
  const narrow = useNarrow();
  const isOneLine = controls?.wrapLines === false && !narrow;
  return { isSortable: controls !== undefined, isOneLine, narrow, ...useRoom() };
}

function TableHeader<T extends InventoryObject>(props: Props<T>) {
  const { kind, pages, variant, title, description, actions, controls } = props;
  const { objects, loading, failure, loadedAt, reload } = pages;
  const isFull = variant === 'full-page';
  return (
    <Header
      variant={isFull ? 'awsui-h1-sticky' : 'h2'}
      counter={counterOf(pages, controls?.total, controls?.selected.length ?? 0)}
      info={
        controls?.countedAt !== undefined && (
          <Box variant="small">
            <span title={`Counted at ${momentText(controls.countedAt)}`}>at most a minute old</span>
          </Box>
        )
      }
      description={description}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          {isFull && (
            <RefreshControl
              what={`the ${kind.folder}`}
              loading={loading && objects.length > 0}
              isFailed={failure !== undefined && !loading}
              loadedAt={loadedAt}
              reload={reload}
            />
          )}
          {actions}
        </SpaceBetween>
      }
    >
      {title}
    </Header>
  );
}

/** In place of the rows: a text with a button. */
function Instead({ text, button, onClick }: { text: string; button: string; onClick: () => void }) {
  return (
    <Box textAlign="center">
      <SpaceBetween size="s">
        <span>{text}</span>
        <Button onClick={onClick}>{button}</Button>
      </SpaceBetween>
    </Box>
  );
}

function Empty<T extends InventoryObject>({ kind, pages, empty, clear }: Props<T>) {
  const { failure, pageIndex, previousIndex, goTo, reload } = pages;
  if (failure !== undefined) {
    // A filter that names nothing, or is malformed. On a later page, the token can be the cause.
    const isFilterFault = (failure.status === 400 || failure.status === 404) && clear !== undefined && pageIndex === 1;
    return (
      <FailureAlert
        failure={failure}
        what={`The ${kind.folder} could not be loaded`}
        retry={isFilterFault ? clear : reload}
        retryText={isFilterFault ? 'Clear the filters' : undefined}
      />
    );
  }
  return pageIndex > 1 ? <Instead text="No more rows." button="Back" onClick={() => goTo(previousIndex)} /> : empty;
}

/** The rows of a page, and when their states were loaded. React draws new ones in parts, between which the page answers. */
function useRows<T>({ objects, loadedAt, isWithoutStates = false }: Pages<T>) {
  const statesAt = isWithoutStates ? ('without states' as const) : loadedAt;
  return useDeferredValue(useMemo(() => ({ objects, statesAt }), [objects, statesAt]));
}

/** A table of nodes, services or agents, page by page. */
export function ObjectTable<T extends InventoryObject>(props: Props<T>) {
  const { kind, pages, columns, variant, title, filter, controls } = props;
  const short = useShort();
  const { loading, failure, pageIndex, pagesCount, openEnd, hasMore, goTo } = pages;
  const { objects, statesAt } = useRows(pages);
  const isFirstLoad = objects.length === 0 && (loading || pages.objects.length > 0);
  const isFull = variant === 'full-page';
  const layout = useLayout(controls);
  const definitions = definitionsOf(columns, objects, layout);
  const isOnlyPage = pageIndex === 1 && !hasMore;

  return (
    <LoadedAtContext value={statesAt}>
      <Table
        variant={variant}
        stickyHeader={isFull && !short}
        items={failure === undefined ? objects : []}
        columnDefinitions={definitions}
        enableKeyboardNavigation={layout.isSortable && !layout.narrow}
        trackBy={(object) => kind.idOf(object)}
        {...controlled(columns, controls, layout.isOneLine)}
        loading={isFirstLoad}
        loadingText={`Loading ${kind.folder}`}
        {...(isFirstLoad ? { skeleton: { totalRows: props.usualRows ?? (isFull ? 8 : 2) } } : {})}
        ariaLabels={{
          tableLabel: title,
          selectionGroupLabel: `Selection of ${kind.folder}`,
          allItemsSelectionLabel: () => 'Select all of this page',
          itemSelectionLabel: (_, object) => `Select ${kind.nameOf(object)}`,
        }}
        renderAriaLive={({ firstIndex, lastIndex }) =>
          objects.length === 0 ? 'No rows are shown.' : `Rows ${firstIndex} to ${lastIndex} are shown.`
        }
        header={<TableHeader {...props} />}
        filter={filter}
        pagination={
          isOnlyPage || failure !== undefined ? undefined : (
            <Pagination
              currentPageIndex={pageIndex}
              pagesCount={pagesCount}
              openEnd={openEnd}
              disabled={loading}
              onChange={({ detail }) => goTo(detail.currentPageIndex)}
            />
          )
        }
        empty={<Empty {...props} />}
      />
    </LoadedAtContext>
  );
}
