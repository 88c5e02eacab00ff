import DateRangePicker, { type DateRangePickerProps } from '@cloudscape-design/components/date-range-picker';
import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter';
import { useState } from 'react';
import { useStore } from '../api/store.ts';
import { auditEvents } from '../../functions/domain/records/audit-events.ts';
import { type AuditEntry, eventText } from './audit-entry.ts';
import { lastOf } from './time-range.ts';
import { timeZone } from '../ui/time-format.ts';
import { CHANGE_DAYS } from '../../functions/domain/records/retention.ts';
import { flash } from '../ui/flash.ts';
import { failureOf } from '../ui/use-load.tsx';
import { type SuggestedProperty, useSuggestions } from './use-suggestions.tsx';

/** The properties whose values are ids with names. */
const suggestedProperties: readonly SuggestedProperty[] = ['actor_id', 'object_id'];

export type AuditQuery = Readonly<Record<string, string>>;

const properties = [
  { key: 'event', label: 'Action' },
  { key: 'actor_id', label: 'Caller' },
  { key: 'object_id', label: 'Object' },
] as const;

export interface FilterValue {
  property: string;
  id: string;
  name: string;
}

/** The callers and objects of the entries, by the filters that find more of their entries. */
export function namedIn(entries: readonly AuditEntry[]): FilterValue[] {
  const found = entries.flatMap(({ actor, subject }) => [
    ...(actor === undefined ? [] : [{ property: 'actor_id', id: actor.id, name: actor.name }]),
    ...(subject?.name === undefined ? [] : [{ property: 'object_id', id: subject.id, name: subject.name }]),
  ]);
  return [...new Map(found.map((one) => [`${one.property}/${one.id}`, one])).values()];
}

const lengths = [
  { key: 'hour', amount: 1, unit: 'hour', type: 'relative' },
  { key: 'day', amount: 1, unit: 'day', type: 'relative' },
  { key: 'week', amount: 7, unit: 'day', type: 'relative' },
  { key: 'all', amount: CHANGE_DAYS, unit: 'day', type: 'relative' },
] as const;

function rangeOf({ last, since, until }: AuditQuery): DateRangePickerProps.Value | null {
  const found = last === undefined ? undefined : lastOf(last);
  if (found !== undefined) return { type: 'relative', ...found };
  return since === undefined || until === undefined ? null : { type: 'absolute', startDate: since, endDate: until };
}

function queryOf(value: DateRangePickerProps.Value | null): Record<string, string> {
  if (value === null) return {};
  return value.type === 'relative'
    ? { last: `${value.amount}-${value.unit}` }
    : { since: value.startDate, until: value.endDate };
}

function validity(value: DateRangePickerProps.Value | null): DateRangePickerProps.ValidationResult {
  if (value?.type === 'absolute') {
    const [start, end] = [Date.parse(value.startDate), Date.parse(value.endDate)];
    if (Number.isNaN(start) || Number.isNaN(end)) return { valid: false, errorMessage: 'Enter both dates.' };
    if (start >= end) return { valid: false, errorMessage: 'The end must be after the start.' };
  }
  if (value?.type === 'relative' && !(value.amount >= 1 && lastOf(`${value.amount}-${value.unit}`) !== undefined))
    return { valid: false, errorMessage: 'Enter a whole number.' };
  return { valid: true };
}

interface Props {
  query: AuditQuery;
  named: readonly FilterValue[];
  loading: boolean;
  countText: string;
  onChange: (query: AuditQuery) => void;
}

/** The filters of the audit. */
export function AuditFilter({ query, named, loading, countText, onChange }: Props) {
  const seen = (of: SuggestedProperty) => named.filter(({ property }) => property === of);
  const suggestions = {
    actor_id: useSuggestions('actor_id', seen('actor_id')),
    object_id: useSuggestions('object_id', seen('object_id')),
  };
  const [suggested, setSuggested] = useState<SuggestedProperty>('actor_id');
  const known = suggestedProperties.flatMap((property) =>
    suggestions[property].named.map(({ id, name }) => ({ id, name, property })),
  );
  const zone = useStore(timeZone);
  const isProperty = (name: string) => properties.some(({ key }) => key === name);
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
      : (known.find((one) => one.property === property && one.id === value)?.name ?? value);

  const change = async (tokens: readonly PropertyFilterProps.Token[]) => {
    // The last value of each property.
    const given = Object.fromEntries(tokens.map(({ propertyKey = '', value }) => [propertyKey, String(value)]));
    for (const property of suggestedProperties) {
      const text = given[property];
      if (text === undefined || text === query[property]) continue;
      const found = await suggestions[property].find(text);
      if ('problem' in found) {
        flash.add({ type: 'error', content: found.problem });
        return;
      }
      given[property] = found.id;
    }
    onChange({ ...part((name) => !isProperty(name)), ...given });
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
          ...known.map(({ property, id, name }) => ({ propertyKey: property, value: id, label: name })),
        ]}
        filteringPlaceholder="Filter the audit"
        filteringAriaLabel="Filter the audit"
        filteringEmpty="No suggestions"
        filteringStatusType={suggestions[suggested].status}
        onLoadItems={({ detail }) => {
          const property = suggestedProperties.find((one) => one === detail.filteringProperty?.key);
          if (property === undefined) return;
          setSuggested(property);
          suggestions[property].load(detail.filteringText);
        }}
        filteringLoadingText="Loading"
        filteringErrorText="The suggestions could not be loaded."
        filteringRecoveryText="Try again"
        expandToViewport
      />
      <DateRangePicker
        value={rangeOf(query)}
        onChange={({ detail }) => onChange({ ...part(isProperty), ...queryOf(detail.value) })}
        relativeOptions={lengths}
        isValidRange={validity}
        absoluteFormat="long-localized"
        {...(zone === 'utc' ? { getTimeOffset: () => 0 } : { hideTimeOffset: true })}
        placeholder="At any time"
        ariaLabel="When"
        expandToViewport
      />
    </div>
  );
}
