import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../model/kinds.tsx';
import { remember } from '../model/object-cache.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { filledPage } from './filled-page.tsx';
import { STATES_MS } from '../ui/auto-refresh.tsx';
import { LoadedAtContext } from '../ui/loaded-at.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { type Pages, usePages } from '../ui/use-pages.tsx';

export function useObjects<T extends InventoryObject>(kind: Kind<T>, filters: ListQuery, size: number): Pages<T> {
  const load = async (token: string | undefined, signal: AbortSignal) => {
    const page = await filledPage(size, token, (pageSize, pageToken) =>
      kind.list({ ...filters, include: 'state', page_size: String(pageSize), page_token: pageToken }, { signal }),
    );
    remember(kind, page.objects);
    return page;
  };
  return usePages(JSON.stringify([kind.folder, filters, size]), load, STATES_MS);
}

/** `(51-75+)`: which ones are shown; the plus says that there are more, of which nobody has counted. */
function counterOf({ objects, before, hasMore, loading, failure }: Pages<unknown>): string | undefined {
  if (failure !== undefined || (loading && objects.length === 0)) return undefined;
  const to = before + objects.length;
  if (before === 0) return `(${to}${hasMore ? '+' : ''})`;
  return `(${before + 1}-${to}${hasMore ? '+' : ''})`;
}

export interface Column<T> {
  id: string;
  header: string;
  cell: (object: T) => ReactNode;
  isRowHeader?: boolean;
  /** Left out where there is little room. */
  wide?: boolean;
  /** In pixels, where there is room: names may break anywhere, and without it they do so too soon. */
  minWidth?: number;
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
}

/** A table of nodes, services or agents, page by page. */
export function ObjectTable<T extends InventoryObject>(props: Props<T>) {
  const { kind, pages, columns, variant, title, description, actions, filter, empty, clear } = props;
  const narrow = useNarrow();
  const { objects, loading, failure, pageIndex, pagesCount, openEnd, hasMore, loadedAt, goTo, reload } = pages;
  const isFirstLoad = loading && objects.length === 0;
  const definitions: TableProps.ColumnDefinition<T>[] = columns
    .filter(({ wide }) => !(narrow && wide === true))
    .map(({ id, header, cell, isRowHeader, minWidth }) => ({
      id,
      header,
      cell,
      isRowHeader,
      minWidth: narrow ? undefined : minWidth,
    }));
  // A filter that names nothing, or is malformed; on a later page it is the place in the list.
  const isFilterFault = (failure?.status === 400 || failure?.status === 404) && clear !== undefined && pageIndex === 1;
  const onlyPage = pageIndex === 1 && !hasMore;

  return (
    <LoadedAtContext value={loadedAt}>
      <Table
        variant={variant}
        stickyHeader={variant === 'full-page'}
        items={failure === undefined ? objects : []}
        columnDefinitions={definitions}
        trackBy={(object) => kind.idOf(object)}
        wrapLines
        loading={isFirstLoad}
        loadingText={`Loading ${kind.folder}`}
        {...(isFirstLoad ? { skeleton: { totalRows: variant === 'full-page' ? 8 : 2 } } : {})}
        ariaLabels={{ tableLabel: title }}
        renderAriaLive={({ firstIndex, lastIndex }) =>
          objects.length === 0 ? 'No rows are shown.' : `Rows ${firstIndex} to ${lastIndex} are shown.`
        }
        header={
          <Header
            variant={variant === 'full-page' ? 'awsui-h1-sticky' : 'h2'}
            counter={counterOf(pages)}
            description={description}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                {variant === 'full-page' && (
                  <RefreshControl
                    what={`the ${kind.folder}`}
                    loading={loading && !isFirstLoad}
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
                <Button onClick={() => goTo(pageIndex - 1)}>Back</Button>
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
