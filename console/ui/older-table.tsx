import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BaseColumn } from './base-column.ts';
import { stackedColumn } from './stacked-column.tsx';
import { FailureAlert } from './failure-alert.tsx';
import type { OlderEntries } from './use-older.tsx';
import { useNarrow } from './use-narrow.tsx';
import { numberText } from './words.ts';

interface EndProps<T> {
  older: OlderEntries<T>;
  /** The text below the oldest row. */
  end: ReactNode;
}

/** Below the rows: the button for older ones, the failure to load them, or the end of the list. */
function End<T>({ older: { loading, failure, showOlder, retry }, end }: EndProps<T>) {
  const ref = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(false);
  const isOver = !loading && showOlder === undefined;
  // The end replaces the button that has the focus.
  useEffect(() => {
    if (asked && isOver) ref.current?.focus({ preventScroll: true });
  }, [asked, isOver]);

  const content = () => {
    if (failure !== undefined) return <FailureAlert failure={failure} what="More could not be loaded" retry={retry} />;
    if (isOver) return <Box color="text-body-secondary">{end}</Box>;
    return (
      <Button
        loading={loading}
        onClick={() => {
          setAsked(true);
          showOlder?.();
        }}
      >
        Show older
      </Button>
    );
  };
  return (
    <div ref={ref} className="end" tabIndex={-1}>
      <Box textAlign={failure === undefined ? 'center' : 'left'}>{content()}</Box>
    </div>
  );
}

interface EmptyProps<T> {
  older: OlderEntries<T>;
  noun: string;
  none: ReactNode;
}

function Empty<T>({ older: { failure, showOlder, retry }, noun, none }: EmptyProps<T>) {
  if (failure !== undefined)
    return <FailureAlert failure={failure} what={`The ${noun} could not be loaded`} retry={retry} />;
  if (showOlder === undefined)
    return (
      <Box textAlign="center" color="text-body-secondary">
        {none}
      </Box>
    );
  return (
    <Box textAlign="center">
      <SpaceBetween size="s">
        <span>No matches in this part of the list.</span>
        <Button onClick={showOlder}>Continue search</Button>
      </SpaceBetween>
    </Box>
  );
}

interface Props<T> {
  older: OlderEntries<T>;
  variant: 'container' | 'full-page';
  title: string;
  description: string;
  /** The rows in the plural: "changes". */
  noun: string;
  idField: keyof T & string;
  columns: readonly BaseColumn<T>[];
  /** The text of an empty list. */
  none: ReactNode;
  end: ReactNode;
  actions?: ReactNode;
  filter?: ReactNode;
  /** With it, rows have a checkbox. */
  selection?: Selection<T>;
}

interface Selection<T> {
  selected: readonly T[];
  select: (rows: readonly T[]) => void;
  nameOf: (row: T) => string;
}

/** The checkboxes of a table. */
const selectable = <T,>({ selected, select, nameOf }: Selection<T>) => ({
  selectionType: 'multi' as const,
  selectedItems: selected,
  onSelectionChange: ({ detail }: { detail: { selectedItems: T[] } }) => select(detail.selectedItems),
  selectionLabels: {
    selectionGroupLabel: 'Selection',
    allItemsSelectionLabel: () => 'Select all',
    itemSelectionLabel: (_: unknown, row: T) => `Select ${nameOf(row)}`,
  },
});

/** A list of events, newest first, with a button that loads older ones. */
export function OlderTable<T>(props: Props<T>) {
  const { older, variant, title, noun, idField, columns } = props;
  const { selectionLabels, ...selection } = props.selection === undefined ? {} : selectable(props.selection);
  const { items, loading, failure, showOlder } = older;
  const narrow = useNarrow();
  const isEmpty = items.length === 0;
  const isFirst = loading && isEmpty;
  const hasEnd = !isEmpty && (loading || failure !== undefined || showOlder !== undefined || props.end !== undefined);

  return (
    <Table
      variant={variant}
      items={items}
      columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
      trackBy={idField}
      wrapLines
      loading={isFirst}
      loadingText={`Loading ${noun}`}
      {...(isFirst ? { skeleton: { totalRows: 2 } } : {})}
      {...selection}
      ariaLabels={{ tableLabel: title, ...selectionLabels }}
      renderAriaLive={() => (isEmpty ? `No ${noun} are shown.` : `${numberText(items.length)} ${noun} are shown.`)}
      header={
        <Header
          variant={variant === 'full-page' ? 'h1' : 'h2'}
          counter={isEmpty ? undefined : `(${numberText(items.length)}${showOlder === undefined ? '' : '+'})`}
          description={props.description}
          actions={props.actions}
        >
          {title}
        </Header>
      }
      filter={props.filter}
      empty={<Empty older={older} noun={noun} none={props.none} />}
      footer={hasEnd ? <End older={older} end={props.end} /> : undefined}
    />
  );
}
