import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useEffect } from 'react';
import { type IndexState, MAX_INDEXED } from '../search-index/index-state.tsx';
import type { SearchHit } from '../search-index/inventory-index.ts';
import { searchIndex, useIndexState } from '../search-index/search-index.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { useRoute } from '../ui/route.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import type { Health } from '../model/health.ts';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import { hitKinds, hrefOf, nameOf, reasonOf, totalOf } from './hit.tsx';
import { readingText } from './progress.tsx';
import { useHitHealth } from './use-hit-health.tsx';
import { useSearch } from './use-search.tsx';
import { numberText } from '../ui/words.ts';

/** The most results of each kind that are listed. */
const MAX_HITS = 1000;

const PAGE_SIZE = 50;

const columnsOf = (
  health: ReadonlyMap<string, Health>,
): readonly (TableProps.ColumnDefinition<SearchHit> & { wide?: boolean })[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: (hit) => (
      <Link href={hrefOf(hit)}>
        <Words text={nameOf(hit)} />
      </Link>
    ),
  },
  { id: 'kind', header: 'Kind', cell: ({ kind }) => kind },
  { id: 'type', header: 'Type', wide: true, cell: ({ type }) => <Words text={type} /> },
  {
    id: 'health',
    header: 'Health',
    // Every word fits on one line: the health arrives after the hits, and a second line would move the rows.
    width: 170,
    cell: ({ id }) => {
      const { look, word } = health.get(id) ?? {};
      return look === undefined ? '-' : <StatusIndicator type={look}>{word}</StatusIndicator>;
    },
  },
  { id: 'area', header: 'Region or cluster', wide: true, cell: ({ area }) => <Words text={area ?? '-'} /> },
  { id: 'match', header: 'Found by', cell: (hit) => <Words text={reasonOf(hit) || 'Name'} /> },
];

/** Also before the results are known: the table does not move when they have several pages. */
const onlyPage = <Pagination currentPageIndex={1} pagesCount={1} disabled />;

function Notice({ state }: { state: IndexState }) {
  if (state.phase === 'too_large')
    return (
      <Alert type="info">
        The inventory has more than {numberText(MAX_INDEXED)} objects. The server finds nodes, services and clusters by
        the beginning of their names.
      </Alert>
    );
  if (state.phase === 'failed')
    return <FailureAlert failure={state.failure} what="The inventory could not be read" retry={searchIndex.start} />;
  return null;
}

/** `#/search?text=...`: all results of a search. */
export function SearchPage() {
  const { text = '' } = useRoute().query;
  const state = useIndexState();
  const narrow = useNarrow();
  const { result, failure } = useSearch(text, MAX_HITS);
  usePageTitle(text === '' ? 'Search' : `Search: ${text}`);
  useEffect(() => {
    if (state.phase === 'idle') searchIndex.start();
  }, [state.phase]);

  const hits = result === undefined ? [] : hitKinds.flatMap((kind) => result[kind].hits);
  const total = result === undefined ? 0 : totalOf(result);
  const page = usePagedItems(hits, PAGE_SIZE, text);
  const health = useHitHealth(page.items);
  const mayFollow = result === undefined || (total === 0 && state.phase === 'reading');
  const isLoading = text.trim() !== '' && mayFollow && failure === undefined && state.phase !== 'failed';
  return (
    <SpaceBetween size="m">
      <Notice state={state} />
      <Table
        variant="full-page"
        {...page}
        pagination={page.pagination || onlyPage}
        trackBy={({ kind, id }) => `${kind}/${id}`}
        columnDefinitions={columnsOf(health).filter(({ wide }) => !(narrow && wide === true))}
        loading={isLoading}
        loadingText="Searching"
        ariaLabels={{ tableLabel: 'Search results' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            counter={result === undefined || isLoading ? undefined : `(${numberText(total)})`}
            // Beside the heading, so that the results do not move when the reading ends.
            actions={
              state.phase === 'reading' && <StatusIndicator type="loading">{readingText(state)}</StatusIndicator>
            }
            description={
              total > hits.length
                ? `The list contains the first ${numberText(MAX_HITS)} results of each kind. Enter more of the text.`
                : undefined
            }
          >
            <bdi className="any-word">{text === '' ? 'Search' : `Search: ${text}`}</bdi>
          </Header>
        }
        empty={
          failure === undefined ? (
            <Box textAlign="center" color="text-body-secondary">
              {text.trim() === '' ? 'Enter a text in the search field at the top of the page.' : 'No results'}
            </Box>
          ) : (
            <FailureAlert failure={failure} what="The search failed" />
          )
        }
      />
    </SpaceBetween>
  );
}
