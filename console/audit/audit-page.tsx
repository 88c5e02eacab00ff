import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { BaseColumn } from '../ui/base-column.ts';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { call, parsedBy, requestOf } from '../api/client.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { type AuditEntry, changeOf, eventText, isRefusal, reasonText, resultOf } from './audit-entry.ts';
import { shortId } from '../model/kinds.tsx';
import { cacheNames } from '../model/object-cache.tsx';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { sinceOf } from './time-range.ts';
import { labelOf, matchesText, plural } from '../ui/words.ts';
import { href, replace, useRoute } from '../ui/route.tsx';
import { AuditFilter, namedIn } from './audit-filter.tsx';
import type { FilterValue } from './use-audit-suggestions.tsx';
import { ChangeDifferences } from '../objects/history/change-differences.tsx';
import { DifferenceList } from '../objects/history/difference-list.tsx';
import { filledPage } from './filled-page.tsx';
import { type AuditRow, foldEntries } from './fold-entries.ts';
import { FirstItems } from '../ui/first-items.tsx';
import { RequestId, When, Who } from '../objects/history/happening.tsx';
import { LinksByKind } from '../objects/cells/object-link.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { OlderTable } from '../ui/older-table.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { useOlder } from '../ui/use-older.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Small } from '../ui/small.tsx';
import { useRetentionDays } from '../model/server-version.tsx';

/** Rows that are shown at once. Each can take a request for the name of its object. */
const PAGE_SIZE = 25;

/** Entries of the further requests: those of an import are one row. */
const MORE_ENTRIES = 250;

/** Names of a folded row that are shown. */
const MAX_NAMES = 50;

const place = ['configuration', 'audit'];

function What({ entry }: { entry: AuditEntry }) {
  const { event, revision } = entry;
  if (isRefusal(entry)) return <StatusIndicator type="error">{eventText(event)}</StatusIndicator>;
  return (
    <>
      {eventText(event)}
      {revision !== undefined && <Small>Revision {revision}</Small>}
    </>
  );
}

const isObjectKind = (kind: string): kind is ObjectKind => kind === 'node' || kind === 'service' || kind === 'agent';

/** The object whose current name is shown, as the entry has none. */
function unnamedIn({ event, subject }: AuditEntry) {
  if (subject === undefined || subject.name !== undefined || event.endsWith('.removed')) return undefined;
  const { kind, id } = subject;
  return isObjectKind(kind) ? { kind, id } : undefined;
}

/** The name in the entry. Without one, the current name of the object. */
function objectOf(entry: AuditEntry): ReactNode {
  const { event, subject } = entry;
  if (subject === undefined) return '-';
  const { kind, id, name } = subject;
  if (!isObjectKind(kind)) return <Words text={name ?? id} />;
  if (unnamedIn(entry) !== undefined) return <LinksByKind kind={kind} ids={[id]} />;
  const shown = <Words text={name ?? `${kind} ${shortId(id)}`} />;
  return event.endsWith('.removed') ? shown : <Link href={href([`${kind}s`, id])}>{shown}</Link>;
}

function Subject({ entry }: { entry: AuditEntry }) {
  return (
    <>
      {objectOf(entry)}
      {entry.subject !== undefined && <Small>{labelOf(entry.subject.kind)}</Small>}
    </>
  );
}

/** The number of refusals and their times. The server counts refusals by the minute. */
function Refusals({ entry: { reason, count = 1, first_time: first, last_time: last } }: { entry: AuditEntry }) {
  return (
    <>
      {reason === undefined ? '-' : reasonText(reason)}
      <Small>
        {plural(count, 'time')}
        {first !== undefined && last !== undefined && count > 1 && (
          <> within {Math.max(1, Math.ceil((Date.parse(last) - Date.parse(first)) / 1000))} s</>
        )}
      </Small>
    </>
  );
}

/** `added 10 nodes, 20 services` as the action of a folded row. */
const kindsText = (entries: readonly AuditEntry[]) =>
  [...Map.groupBy(entries, ({ subject }) => subject?.kind ?? 'object')]
    .map(([kind, all]) => plural(all.length, kind))
    .join(', ');

function FoldedWhat({ row: { entry, entries } }: { row: AuditRow }) {
  const [, action = ''] = entry.event.split('.');
  return (
    <>
      {plural(entries.length, 'object')} {action}
      <Small>by one request</Small>
    </>
  );
}

/** Names can take requests, so that a closed row has none. */
function FoldedSubjects({ entries }: { entries: readonly AuditEntry[] }) {
  const [isOpen, setOpen] = useState(false);
  const text = kindsText(entries);
  return (
    <ExpandableSection
      variant="inline"
      headerText={<Box variant="span">{text}</Box>}
      headerAriaLabel={text}
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {isOpen && <FirstItems max={MAX_NAMES} items={entries.map((entry) => objectOf(entry))} />}
    </ExpandableSection>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  if (isRefusal(entry)) return <Refusals entry={entry} />;
  const change = changeOf(entry);
  if (change !== undefined) return <ChangeDifferences change={change} />;
  const result = resultOf(entry);
  return result.length === 0 ? <>-</> : <DifferenceList differences={result} whole />;
}

function Actor({ entry: { actor, source_ip: address } }: { entry: AuditEntry }) {
  return (
    <>
      {actor === undefined ? 'Not authenticated' : <Who actor={actor} />}
      {address !== undefined && (
        <Small>
          From <Words text={address} />
        </Small>
      )}
    </>
  );
}

const isFolded = ({ entries }: AuditRow) => entries.length > 1;

const columns: readonly BaseColumn<AuditRow>[] = [
  { id: 'time', header: 'Time', cell: ({ entry: { time } }) => <When time={time} />, minWidth: 175 },
  {
    id: 'what',
    header: 'Action',
    isRowHeader: true,
    cell: (row) => (isFolded(row) ? <FoldedWhat row={row} /> : <What entry={row.entry} />),
    minWidth: 180,
  },
  {
    id: 'subject',
    header: 'Object',
    cell: (row) => (isFolded(row) ? <FoldedSubjects entries={row.entries} /> : <Subject entry={row.entry} />),
    minWidth: 160,
  },
  { id: 'who', header: 'Caller', cell: ({ entry }) => <Actor entry={entry} />, minWidth: 120 },
  {
    id: 'details',
    header: 'Details',
    cell: (row) => (isFolded(row) ? '-' : <Details entry={row.entry} />),
    minWidth: 200,
  },
  {
    id: 'request',
    header: 'Request ID',
    cell: ({ entry: { request_id: id } }) => <RequestId id={id} short />,
    minWidth: 140,
  },
];

/** The names of all entries that were shown: a filter by one of them needs it after the entries are gone. */
function useNamed(entries: readonly AuditEntry[]): readonly FilterValue[] {
  const seen = useRef(new Map<string, FilterValue>());
  for (const one of namedIn(entries)) seen.current.set(`${one.property}/${one.id}`, one);
  return [...seen.current.values()];
}

/** Configuration > Audit: successful and refused operations with their callers. */
function Audit() {
  usePageTitle('Audit', [{ text: 'Configuration', href: '#/configuration/api-keys' }]);
  const { query } = useRoute();
  const [looks, setLooks] = useState(0);
  const { last, ...filters } = query;
  // All pages use the same time: they are pages of one list.
  const since = useMemo(() => (last === undefined ? undefined : sinceOf(last, Date.now())), [last, looks]);
  const wanted: Readonly<Record<string, string>> = { ...filters, ...(since === undefined ? {} : { since }) };
  const load = async (size: number, token: string | undefined, signal: AbortSignal) => {
    const page = { page_size: String(size), page_token: token };
    const reply = await call(listAudit, { query: parsedBy(listAudit.query, { ...wanted, ...page }) }, { signal });
    return { objects: reply.entries, next: reply.next_page_token };
  };
  const older = useOlder(['audit', query, looks], async (token, signal) => {
    const page = await filledPage(PAGE_SIZE, token, foldEntries, (isFirst, pageToken) =>
      load(isFirst ? PAGE_SIZE : MORE_ENTRIES, pageToken, signal),
    );
    await cacheNames(foldEntries(page.objects).flatMap((row) => (isFolded(row) ? [] : (unnamedIn(row.entry) ?? []))));
    return page;
  });
  const rows = foldEntries(older.items);
  const named = useNamed(older.items);
  const isFiltered = Object.keys(query).length > 0;
  const days = useRetentionDays();
  const count = rows.length;

  return (
    <OlderTable
      older={{ ...older, items: rows }}
      variant="full-page"
      title="Audit"
      description="Events and refused requests, newest first."
      noun="entries"
      idField="audit_id"
      columns={columns}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            iconName="refresh"
            ariaLabel="Reload the audit log"
            loading={older.loading && count > 0}
            onClick={() => setLooks(looks + 1)}
          />
          <Button href={href([...place, 'compare'], { from: wanted['since'], to: wanted['until'] })}>
            Compare two times
          </Button>
          <ShowCurl what="Audit" request={requestOf(listAudit, { query: { ...wanted, page_size: PAGE_SIZE } })} />
        </SpaceBetween>
      }
      filter={
        <AuditFilter
          query={query}
          named={named}
          loading={older.loading}
          countText={matchesText(count, older.showOlder !== undefined)}
          onChange={(next) => replace(href(place, next))}
        />
      }
      none={
        isFiltered ? (
          <SpaceBetween size="s">
            <b>No entry matches</b>
            <Button onClick={() => replace(href(place))}>Clear the filters</Button>
          </SpaceBetween>
        ) : (
          `No entries in the last ${days} days.`
        )
      }
      end={isFiltered ? 'No more matches.' : `No more entries. Entries are kept for ${days} days.`}
    />
  );
}

export const AuditPage = pageWithRole('Audit', listAudit, Audit);
