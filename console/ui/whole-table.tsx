import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { ApiRequest } from './curl-text.ts';
import { FailureAlert } from './failure-alert.tsx';
import { ShowCurl } from './show-curl.tsx';
import type { Loading } from './use-load.tsx';
import { numberText } from './words.ts';

interface EmptyProps {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
}

/** The content of a table without rows. */
export function EmptyTable({ title, hint, action }: EmptyProps) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <b>{title}</b>
        {hint !== undefined && <Box color="text-body-secondary">{hint}</Box>}
        {action}
      </SpaceBetween>
    </Box>
  );
}

interface Props<T> extends Pick<TableProps<T>, 'filter' | 'empty' | 'pagination'> {
  title: string;
  /** The items in the plural, within a sentence. */
  noun: string;
  description: string;
  list: Pick<Loading<unknown>, 'value' | 'loading' | 'failure' | 'reload'>;
  items: readonly T[];
  /** Number of loaded items. */
  count: number | string;
  idField: keyof T & string;
  columns: readonly TableProps.ColumnDefinition<T>[];
  /** The request of the list. */
  request: ApiRequest;
  action?: ReactNode;
}

/** A page that is one table of a list that is loaded as a whole. */
export function WholeTable<T>(props: Props<T>) {
  const { title, noun, description, list, items, count, idField, columns, request, action, ...slots } = props;
  const { value, loading, failure, reload } = list;
  return (
    <Table
      variant="full-page"
      stickyHeader
      items={failure === undefined ? items : []}
      trackBy={idField}
      wrapLines
      loading={loading && value === undefined}
      loadingText={`Loading ${noun}`}
      ariaLabels={{ tableLabel: title }}
      columnDefinitions={columns}
      header={
        <Header
          variant="awsui-h1-sticky"
          counter={value === undefined ? undefined : `(${typeof count === 'number' ? numberText(count) : count})`}
          description={description}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button iconName="refresh" ariaLabel={`Reload the ${noun}`} onClick={reload} />
              <ShowCurl what={title} request={request} />
              {action}
            </SpaceBetween>
          }
        >
          {title}
        </Header>
      }
      filter={slots.filter}
      pagination={slots.pagination}
      empty={
        failure === undefined ? (
          slots.empty
        ) : (
          <FailureAlert failure={failure} what={`The ${noun} could not be loaded`} retry={reload} />
        )
      }
    />
  );
}
