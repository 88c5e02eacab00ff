import type { Column } from '../cells/column.ts';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { remember } from '../../model/object-cache.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { filledPage } from '../form/filled-page.tsx';
import type { ListOrder } from './list-address.ts';
import { STATES_MS } from '../../ui/auto-refresh.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { RefreshControl } from '../../ui/refresh-control.tsx';
import { useRoom } from '../../ui/room.tsx';
import { useNarrow, useShort } from '../../ui/use-narrow.tsx';
import { type Pages, type Place, usePages } from '../../ui/use-pages.tsx';

/** The largest page of a list. */
const MAX_SKIPPED = 1000;

/**
 * A list in the order of the API.
 *
 * @param enabled whether the list is shown; nothing is loaded before.
 * @param place as of `usePages`.
 */
export function useObjects<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  size: number,
  enabled = true,
  place?: Place,
): Pages<T> {
  const load = async (token: string | undefined, signal: AbortSignal) => {
    if (!enabled) return { objects: [], next: undefined };
    const page = await filledPage(size, token, (pageSize, pageToken) =>
      kind.list({ ...filters, include: 'state', page_size: String(pageSize), page_token: pageToken }, { signal }),
    );
    remember(kind, page.objects);
    return page;
  };
  const skip = (count: number, token: string | undefined, signal: AbortSignal) =>
    kind.list(
      { ...filters, fields: kind.idField, page_size: String(Math.min(count, MAX_SKIPPED)), page_token: token },
      { signal },
    );
  const source = { size, load, skip, maxAge: enabled ? STATES_MS : undefined };
  return usePages(JSON.stringify([kind.folder, filters, size, enabled]), source, enabled ? place : undefined);
}

const format = new Intl.NumberFormat('en');

/** `(1,234)`; with a selection `(2/1,234)`. `(51-75+)` while the number of all objects is unknown. */
function counterOf(
  { objects, before, hasMore, loading, failure }: Pages<unknown>,
  total: number | undefined,
  selected: number,
): string | undefined {
  if (failure !== undefined || (loading && objects.length === 0)) return undefined;
  if (total !== undefined) return `(${selected > 0 ? `${format.format(selected)}/` : ''}${format.format(total)})`;
  const to = before + objects.length;
  if (before === 0) return `(${to}${hasMore ? '+' : ''})`;
  return `(${before + 1}-${to}${hasMore ? '+' : ''})`;
}

/** How a list is shown and what is selected in it, for lists with more than a look. */
export interface ListControls<T> {
  total: number | undefined;
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
  /** The way out of filters that the server refuses. */
  clear?: (() => void) | undefined;
  controls?: ListControls<T>;
}

/** The properties of the table that the controls of a list decide. */
function controlled<T extends InventoryObject>(columns: readonly Column<T>[], controls: ListControls<T> | undefined) {
  if (controls === undefined) return { wrapLines: true };
  const { order, setOrder, selected, select } = controls;
  // Without an order of the user no column has an arrow: the order of the API is that of no column.
  const sorting = columns.find(({ id }) => id === order?.column);
  return {
    wrapLines: controls.wrapLines,
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

/** A table of nodes, services or agents, page by page. */
export function ObjectTable<T extends InventoryObject>(props: Props<T>) {
  const { kind, pages, columns, variant, title, description, actions, filter, empty, clear, controls } = props;
  const narrow = useNarrow();
  const short = useShort();
  const room = useRoom();
  const { objects, loading, failure, pageIndex, pagesCount, openEnd, hasMore, loadedAt, goTo, reload } = pages;
  const isFirstLoad = loading && objects.length === 0;
  const definitions: TableProps.ColumnDefinition<T>[] = columns
    .filter(({ wide, spare }) => !(narrow && wide === true) && !(room === 'scarce' && spare === true))
    .map(({ id, header, cell, isRowHeader, minWidth, sortBy }) => ({
      id,
      header,
      cell,
      isRowHeader,
      minWidth: room === 'ample' ? minWidth : undefined,
      ...(controls === undefined || sortBy === undefined ? {} : { sortingField: id }),
    }));
  // A filter that names nothing, or is malformed; on a later page it is the place in the list.
  const isFilterFault = (failure?.status === 400 || failure?.status === 404) && clear !== undefined && pageIndex === 1;
  const onlyPage = pageIndex === 1 && !hasMore;

  return (
    <LoadedAtContext value={pages.isWithoutStates === true ? 'without states' : loadedAt}>
      <Table
        variant={variant}
        stickyHeader={variant === 'full-page' && !short}
        items={failure === undefined ? objects : []}
        columnDefinitions={definitions}
        trackBy={(object) => kind.idOf(object)}
        {...controlled(columns, controls)}
        loading={isFirstLoad}
        loadingText={`Loading ${kind.folder}`}
        {...(isFirstLoad ? { skeleton: { totalRows: variant === 'full-page' ? 8 : 2 } } : {})}
        ariaLabels={{
          tableLabel: title,
          selectionGroupLabel: `Selection of ${kind.folder}`,
          allItemsSelectionLabel: () => 'Select all of this page',
          itemSelectionLabel: (_, object) => `Select ${kind.nameOf(object)}`,
        }}
        renderAriaLive={({ firstIndex, lastIndex }) =>
          objects.length === 0 ? 'No rows are shown.' : `Rows ${firstIndex} to ${lastIndex} are shown.`
        }
        header={
          <Header
            variant={variant === 'full-page' ? 'awsui-h1-sticky' : 'h2'}
            counter={counterOf(pages, controls?.total, controls?.selected.length ?? 0)}
            description={description}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                {variant === 'full-page' && (
                  <RefreshControl
                    what={`the ${kind.folder}`}
                    loading={loading && !isFirstLoad}
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
        }
        filter={filter}
        pagination={
          onlyPage || failure !== undefined ? undefined : (
            <Pagination
              currentPageIndex={pageIndex}
              pagesCount={pagesCount}
              openEnd={openEnd}
              disabled={loading}
              onChange={({ detail }) => goTo(detail.currentPageIndex)}
            />
          )
        }
        empty={
          failure !== undefined ? (
            <FailureAlert
              failure={failure}
              what={`The ${kind.folder} could not be loaded`}
              retry={isFilterFault ? clear : reload}
              retryText={isFilterFault ? 'Clear the filters' : undefined}
            />
          ) : hasMore ? (
            <Box textAlign="center">
              <SpaceBetween size="s">
                <span>No matches in this part of the list.</span>
                <Button onClick={() => goTo(pageIndex + 1)}>Continue search</Button>
              </SpaceBetween>
            </Box>
          ) : pageIndex > 1 ? (
            <Box textAlign="center">
              <SpaceBetween size="s">
                <span>No more rows.</span>
                <Button onClick={() => goTo(pages.previousIndex)}>Back</Button>
              </SpaceBetween>
            </Box>
          ) : (
            empty
          )
        }
      />
    </LoadedAtContext>
  );
}
