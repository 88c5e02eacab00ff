import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Header from '@cloudscape-design/components/header';
import { type ReactNode, useMemo } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { requestOf } from '../../api/client.tsx';
import { href, replace, useRoute } from '../../ui/route.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { apiFilters, hasConsoleFilter } from '../../model/console-filters.ts';
import { filtersOf } from '../../model/filters.ts';
import { matchesText, plural } from '../../ui/words.ts';
import { GroupBar } from './group-bar.tsx';
import { SortMenu } from './group-list.tsx';
import { ListFilter } from './list-filter.tsx';
import { TeamScopeLink } from './team-scope-link.tsx';
import { ListActions } from './list-actions.tsx';
import type { Column } from '../cells/column.ts';
import { type ListControls, ObjectTable } from './object-table.tsx';
import { useList } from './use-list.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { useShownObjects } from '../../model/shown-objects.tsx';
import { type ListAddress, listAddressOf, placeNames, queryOf } from './list-address.ts';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  columns: readonly Column<T>[];
  exclusive?: readonly string[];
  /** The text of an empty list: what to do first. */
  firstSteps: ReactNode;
}

/** The list of one kind of object. The address contains the filters, so that links and the history keep them. */
export function ListPage<T extends InventoryObject>(props: Props<T>) {
  const { kind } = props;
  const { query } = useRoute();
  usePageTitle(kind.title);
  const filters = useMemo(() => new Set(filtersOf(kind.contracts.list).map(({ name }) => name)), [kind]);
  const refused = Object.keys(query).filter((name) => !filters.has(name) && !placeNames.includes(name));
  if (refused.length === 0) return <List {...props} query={query} />;
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => filters.has(name)));
  return (
    <SpaceBetween size="m">
      <Header variant="h1">{kind.title}</Header>
      <Alert
        type="warning"
        header="The console does not support these parameters"
        action={
          <Button onClick={() => replace(href([kind.folder], rest))}>
            {Object.keys(rest).length === 0 ? 'Show all' : `Show with ${plural(Object.keys(rest).length, 'filter')}`}
          </Button>
        }
      >
        The console has no filter <bdi className="any-word">{refused.join(', ')}</bdi>, and always shows whole objects,
        page by page. The API supports page_size, page_token, include and fields.
      </Alert>
    </SpaceBetween>
  );
}

/** In place of the rows of an empty list. */
function EmptyList({ noun, folder, isFiltered, children }: EmptyProps) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <b>{isFiltered ? `No ${noun} matches` : `No ${folder} yet`}</b>
        {isFiltered ? <Button onClick={() => replace(href([folder]))}>Clear the filters</Button> : children}
      </SpaceBetween>
    </Box>
  );
}

interface EmptyProps extends Pick<Kind<InventoryObject>, 'noun' | 'folder'> {
  isFiltered: boolean;
  /** The first steps. */
  children: ReactNode;
}

/** The command of curl for a page of the list. */
function curlOf<T extends InventoryObject>(kind: Kind<T>, filters: ListQuery, size: number) {
  return {
    request: requestOf(kind.contracts.list, {
      query: { ...apiFilters(kind.noun, filters), include: 'state', page_size: size },
    }),
    note: hasConsoleFilter(kind.noun, filters)
      ? 'The API does not have all of these filters: the command lists more than the page.'
      : undefined,
  };
}

/** The order of a list in narrow windows. */
function OrderMenu<T>({
  columns,
  order,
  setOrder,
}: { columns: readonly Column<T>[] } & Pick<ListControls<T>, 'order' | 'setOrder'>) {
  return (
    <SortMenu
      columns={columns.filter(({ sortBy }) => sortBy !== undefined)}
      order={order && { column: order.column, isDescending: order.descending }}
      sort={({ column, isDescending }) => {
        const { sortBy = column } = columns.find(({ id }) => id === column) ?? {};
        setOrder({ column, sortBy, descending: isDescending });
      }}
    />
  );
}

function List<T extends InventoryObject>(props: Props<T> & { query: Readonly<Record<string, string>> }) {
  const { kind, exclusive, firstSteps } = props;
  const address = useMemo(() => listAddressOf(props.query, props.columns), [props.query, props.columns]);
  const { filters: query } = address;
  const goTo = (next: ListAddress) => replace(href([kind.folder], queryOf(next)));
  const { pages, pageSize, columns, controls } = useList(kind, props.columns, address, goTo);
  const mayAdd = useMay(kind.contracts.add);
  const [selected, ...others] = controls.selected;
  const isAlone = selected !== undefined && others.length === 0;
  useShownObjects({
    noun: kind.noun,
    // The object as the page has it now: the page may have loaded it again since its selection.
    object: isAlone ? (pages.objects.find((one) => kind.idOf(one) === kind.idOf(selected)) ?? selected) : undefined,
    count: controls.selected.length,
    loadedAt: pages.loadedAt,
  });
  const isFiltered = Object.keys(query).length > 0;
  const add = mayAdd && (
    <Button variant="primary" href={href([kind.folder, 'add'])}>
      Add {kind.noun}
    </Button>
  );

  const { total } = controls;
  const count = total ?? pages.before + pages.objects.length;
  return (
    <ObjectTable
      kind={kind}
      pages={pages}
      columns={columns}
      controls={controls}
      variant="full-page"
      title={kind.title}
      description={
        mayAdd ? undefined : `To add, change or remove objects, you need the role ${kind.contracts.add.role}.`
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <ListActions
            kind={kind}
            filters={query}
            total={total}
            selected={controls.selected}
            select={controls.select}
            reload={pages.reload}
            curl={curlOf(kind, query, pageSize)}
          />
          {add}
        </SpaceBetween>
      }
      filter={
        <SpaceBetween size="xs">
          <ListFilter
            kind={kind}
            query={query}
            exclusive={exclusive ?? []}
            loading={pages.loading}
            countText={pages.loading && count === 0 ? '' : matchesText(count, total === undefined && pages.hasMore)}
            onChange={(filters) => goTo({ ...address, filters, pageIndex: 1 })}
          />
          <GroupBar kind={kind} address={address} go={goTo}>
            <TeamScopeLink kind={kind} address={address} />
            <OrderMenu columns={columns} order={controls.order} setOrder={controls.setOrder} />
          </GroupBar>
        </SpaceBetween>
      }
      clear={isFiltered ? () => replace(href([kind.folder])) : undefined}
      empty={
        <EmptyList noun={kind.noun} folder={kind.folder} isFiltered={isFiltered}>
          <Box color="text-body-secondary">{firstSteps}</Box>
          {add}
        </EmptyList>
      }
    />
  );
}
