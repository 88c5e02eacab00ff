import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { auditEvents } from '../../functions/domain/records/audit-events.ts';
import { flash } from '../ui/flash.ts';
import { failureOf } from '../ui/use-load.tsx';
import { type AuditEntry, eventText } from './audit-entry.ts';
import { TimeRangeFilter } from './time-range-filter.tsx';
import { type FilterValue, useAuditSuggestions } from './use-audit-suggestions.tsx';

type AuditQuery = Readonly<Record<string, string>>;

const properties = [
  { key: 'event', label: 'Action' },
  { key: 'actor_id', label: 'Caller' },
  { key: 'object_id', label: 'Object' },
] as const;

const isProperty = (name: string) => properties.some(({ key }) => key === name);

/** The callers and objects of the entries, by the filters that find more of their entries. */
export function namedIn(entries: readonly AuditEntry[]): FilterValue[] {
  const filterValues = entries.flatMap(({ actor, subject }) => [
    ...(actor === undefined ? [] : [{ property: 'actor_id', id: actor.id, name: actor.name } as const]),
    ...(subject?.name === undefined ? [] : [{ property: 'object_id', id: subject.id, name: subject.name } as const]),
  ]);
  return [
    ...new Map(filterValues.map((filterValue) => [`${filterValue.property}/${filterValue.id}`, filterValue])).values(),
  ];
}

interface Props {
  query: AuditQuery;
  named: readonly FilterValue[];
  loading: boolean;
  countText: string;
  onChange: (query: AuditQuery) => void;
}

export function AuditFilter({ query, named, loading, countText, onChange }: Props) {
  const { namedValues, status, load, idsOf } = useAuditSuggestions(named);
  const part = (wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => wanted(name)));
  const tokens = Object.entries(part(isProperty)).map(([propertyKey, value]) => ({
    propertyKey,
    operator: '=',
    value,
  }));
  const textOf = (property: string, value: string) =>
    property === 'event'
      ? eventText(value)
      : (namedValues.find((candidate) => candidate.property === property && candidate.id === value)?.name ?? value);

  const change = async (tokens: readonly PropertyFilterProps.Token[]) => {
    // The last value of each property.
    const texts = Object.fromEntries(tokens.map(({ propertyKey = '', value }) => [propertyKey, String(value)]));
    const result = await idsOf(texts, query);
    if ('problem' in result) flash.add({ type: 'error', content: result.problem });
    else onChange({ ...part((name) => !isProperty(name)), ...texts, ...result.ids });
  };

  return (
    <div className="filters">
      <PropertyFilter
        query={{ operation: 'and', tokens }}
        onChange={({ detail }) => {
          change(detail.tokens).catch((error: unknown) => {
            flash.add({ type: 'error', content: failureOf(error).message });
          });
        }}
        countText={countText}
        loading={loading}
        hideOperations
        disableFreeTextFiltering
        filteringProperties={properties.map(({ key, label }) => ({
          key,
          propertyLabel: label,
          groupValuesLabel: `${label}: values`,
          operators: [{ operator: '=', format: (value: unknown) => textOf(key, String(value)) }],
        }))}
        filteringOptions={[
          ...auditEvents.map((value) => ({ propertyKey: 'event', value, label: eventText(value) })),
          ...namedValues.map(({ property, id, name }) => ({ propertyKey: property, value: id, label: name })),
        ]}
        filteringPlaceholder="Filter the audit"
        filteringAriaLabel="Filter the audit"
        filteringEmpty="No suggestions"
        filteringStatusType={status}
        onLoadItems={({ detail }) => load(detail.filteringProperty?.key, detail.filteringText)}
        filteringLoadingText="Loading"
        filteringErrorText="The suggestions could not be loaded."
        filteringRecoveryText="Try again"
        expandToViewport
      />
      <TimeRangeFilter query={query} onChange={(range) => onChange({ ...part(isProperty), ...range })} />
    </div>
  );
}
