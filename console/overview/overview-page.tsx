import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { endpoint as getSummary } from '../../functions/api/summary/get/endpoint.ts';
import { CHANGE_HOURS, SUMMARY_SECONDS } from '../../functions/domain/records/summary.ts';
import { call, requestOf } from '../api/client.tsx';
import { keyOf, queries } from '../api/queries.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Moment } from '../ui/moment.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { AttentionList } from './attention.tsx';
import { incompleteTexts } from './completeness.ts';
import { HostGrid } from './host-grid.tsx';
import { Jobs } from './jobs.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { countedKinds, type Summary } from './links.ts';
import { NodeStates } from './node-states-card.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { loadKept, SUMMARY_MS } from './load-summary.tsx';
import { PinnedFilters } from './pinned.tsx';
import { TeamCard } from './team-card.tsx';
import { Totals } from './totals.tsx';

// The charts are more than half of this page: the numbers do not wait for them.
const ChangesChart = lazy(async () => ({ default: (await import('./charts.tsx')).ChangesChart }));

/** In pixels. In less room the bars of a chart would have a negative width, which the browser reports as an error. */
const MIN_CHART_WIDTH = 200;

/** A container with room for a chart, which is drawn once the container has its width. */
function Chart({ title, children }: { title: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setIsWide((entry?.contentRect.width ?? 0) >= MIN_CHART_WIDTH));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const loading = <StatusIndicator type="loading">Loading the chart</StatusIndicator>;
  return (
    <Container fitHeight header={<Header variant="h2">{title}</Header>}>
      <div className="chart" ref={ref}>
        {isWide ? <Suspense fallback={loading}>{children}</Suspense> : loading}
      </div>
    </Container>
  );
}

function Numbers({ summary }: { summary: Summary }) {
  return (
    <SpaceBetween size="l">
      <TeamCard />
      <AttentionList summary={summary} />
      <PinnedFilters />
      <HostGrid summary={summary} />
      {summary.node_states !== undefined && <NodeStates states={summary.node_states} />}
      <Totals summary={summary} />
      <Jobs jobs={summary.jobs} />
      <ColumnLayout columns={2}>
        <Chart title={`Changes of the last ${CHANGE_HOURS} hours`}>
          <ChangesChart summary={summary} />
        </Chart>
        <LatestChanges changes={summary.latest} />
      </ColumnLayout>
    </SpaceBetween>
  );
}

/** The age of the numbers, and which of them are not complete. */
function Age({ summary: { computed_at: time, incomplete } }: { summary: Summary }) {
  return (
    <>
      Counted <Moment time={time} />.{incomplete.map((part) => ` ${incompleteTexts[part]}`)}
    </>
  );
}

/** Only those whose inventory is empty load it. */
const FirstSteps = lazy(async () => ({ default: (await import('../quick-start/first-steps.tsx')).FirstSteps }));

/** In the place of numbers that would all be 0. */
const emptyInventory = (
  <Suspense fallback={<PageLoading />}>
    <FirstSteps />
  </Suspense>
);

const isEmpty = (summary: Summary) => countedKinds.every((kind) => summary[kind].total === 0);

/** Of a page without numbers first the kept ones, which it shows while the server counts the current ones. */
async function loadSummary(signal: AbortSignal): Promise<Summary> {
  const key = keyOf('live', 'summary');
  if (queries.getQueryData(key) === undefined) {
    const kept = await loadKept(signal);
    if (kept.age_seconds < SUMMARY_SECONDS) return kept;
    // An empty inventory has the quick start in the place of numbers.
    if (!isEmpty(kept)) queries.setQueryData(key, kept);
  }
  return call(getSummary, {}, { signal });
}

/** The first page: how many objects there are, what needs attention, and what has changed. */
export function OverviewPage() {
  usePageTitle('Overview');
  const { value, loading, failure, loadedAt, reload } = useLoad('summary', loadSummary, SUMMARY_MS);
  // React draws new numbers in parts, between which the page answers.
  const summary = useDeferredValue(value);
  const isFailed = failure !== undefined && !loading;
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={
          summary === undefined ? (
            `The numbers are ${isFailed ? 'unknown' : 'being loaded'}.`
          ) : (
            <Age summary={summary} />
          )
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <RefreshControl
              what="the overview"
              loading={loading}
              isFailed={isFailed}
              loadedAt={loadedAt}
              reload={reload}
            />
            <ShowCurl what="Overview" request={requestOf(getSummary, {})} />
          </SpaceBetween>
        }
      >
        Overview
      </Header>
      {failure !== undefined && (
        <FailureAlert failure={failure} what="The overview could not be loaded" retry={reload} />
      )}
      {summary === undefined && !isFailed && <OverviewSkeleton />}
      {summary !== undefined && (isEmpty(summary) ? emptyInventory : <Numbers summary={summary} />)}
    </SpaceBetween>
  );
}
