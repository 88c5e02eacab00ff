import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect } from 'react';
import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { requestOf } from '../api/client.tsx';
import { useStore } from '../api/store.ts';
import { toCsv } from '../model/table-text.ts';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';
import { saveFile } from '../ui/save-file.tsx';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { timeZone } from '../ui/time-format.ts';
import { useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import { EmptyTable, WholeTable } from '../ui/whole-table.tsx';
import { numberText, plural } from '../ui/words.ts';
import { compareColumns } from './compare-columns.tsx';
import { CompareFilters } from './compare-filters.tsx';
import { csvRowOf, fieldsIn, folded, rowsOf } from './comparison-rows.ts';
import { type Comparison, loadComparison, MAX_ENTRIES } from './load-comparison.tsx';
import type { NetChange } from './net-changes.ts';
import { timesOf } from './time-range.ts';
import { useRetentionDays } from '../model/server-version.tsx';

const place = ['configuration', 'audit', 'compare'];

const above = [
  { text: 'Configuration', href: '#/configuration/api-keys' },
  { text: 'Audit', href: '#/configuration/audit' },
];

const TITLE = 'Compare two times';

const PAGE_SIZE = 50;

const DAY_MS = 86_400_000;

/** ` 3 objects: 1 added, 2 changed.` */
function countText(changes: readonly NetChange[]): string {
  const counts = (['added', 'changed', 'removed'] as const)
    .map((action) => ({ action, count: changes.filter((one) => one.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${numberText(count)} ${action}`);
  return counts.length === 0 ? '' : ` ${plural(changes.length, 'object')}: ${counts.join(', ')}.`;
}

/** Notes about missing entries: those beyond the maximum, and those that are no longer kept. */
function Lacking({ from, comparison }: { from: string; comparison: Comparison | undefined }) {
  const { readFrom } = comparison ?? {};
  const days = useRetentionDays();
  const isOld = Date.parse(from) < Date.now() - days * DAY_MS;
  return (
    <>
      {readFrom !== undefined && (
        <Alert type="warning" header="The comparison is not complete">
          Between the two times are more than {numberText(MAX_ENTRIES)} entries. The comparison starts at{' '}
          <Moment time={readFrom} exact />: earlier changes are not in it. Choose times that are closer together.
        </Alert>
      )}
      {isOld && (
        <Alert type="info">Entries are kept for {days} days. The comparison does not contain earlier changes.</Alert>
      )}
    </>
  );
}

/** The two times in the address. A missing one is added to it. */
function useTimes() {
  const { query } = useRoute();
  const { from: since, to: until } = query;
  const isWhole = since !== undefined && until !== undefined;
  const times = timesOf({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) }, Date.now());
  useEffect(() => {
    if (!isWhole) replace(href(place, { ...query, ...times }));
  }, [isWhole]);
  return { query, isWhole, ...times };
}

/** Configuration > Audit > Compare two times: each field of each object that differs between them. */
function Compare() {
  usePageTitle(TITLE, above);
  useStore(timeZone);
  const narrow = useNarrow();
  const { query, isWhole, from, to } = useTimes();
  const { kind, actor_id: actorId, field } = query;
  const isFiltered = [kind, actorId, field].some((value = '') => value !== '');
  const load = (signal: AbortSignal) => loadComparison({ from, to, kind, actorId }, signal);
  const list = useLoad(['comparison', from, to, kind, actorId], isWhole ? load : undefined);
  const changes = list.value?.changes ?? [];
  const rows = rowsOf(changes, query);
  const shown = folded(rows);
  const { items, pagination } = usePagedItems(shown, PAGE_SIZE, JSON.stringify(query));
  const columns = compareColumns(from, to);
  const save = () => saveFile('changes.csv', 'text/csv', toCsv(rows.map(csvRowOf)));
  return (
    <WholeTable
      title={TITLE}
      noun="changes"
      description={`One row for each added or removed object, each changed field, and the same change of several objects by one request.${countText(changes)}`}
      list={list}
      items={items}
      count={shown.length}
      idField="key"
      columns={narrow ? [stackedColumn(columns)] : columns}
      pagination={pagination}
      request={requestOf(listAudit, { query: { since: from, until: to, actor_id: actorId } })}
      action={
        <Button iconName="download" disabled={rows.length === 0} onClick={save}>
          Download as CSV
        </Button>
      }
      filter={
        <SpaceBetween size="s">
          <Lacking from={from} comparison={list.value} />
          <CompareFilters
            query={query}
            filter={query}
            fields={fieldsIn(changes)}
            callers={list.value?.callers ?? []}
            change={(next) => replace(href(place, next))}
          />
        </SpaceBetween>
      }
      empty={
        <EmptyTable title={isFiltered ? 'No difference matches the filters' : 'No differences between the two times'} />
      }
    />
  );
}

export const ComparePage = pageWithRole(TITLE, listAudit, Compare);
