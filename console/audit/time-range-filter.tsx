import DateRangePicker, { type DateRangePickerProps } from '@cloudscape-design/components/date-range-picker';
import { useStore } from '../api/store.ts';
import { timeZone } from '../ui/time-format.ts';
import { lastOf } from './time-range.ts';
import { useRetentionDays } from '../model/server-version.tsx';

const lengths = [
  { key: 'hour', amount: 1, unit: 'hour', type: 'relative' },
  { key: 'day', amount: 1, unit: 'day', type: 'relative' },
  { key: 'week', amount: 7, unit: 'day', type: 'relative' },
] as const;

type Value = DateRangePickerProps.Value | null;

function rangeOf({ last, since, until }: Props['query']): Value {
  const relative = last === undefined ? undefined : lastOf(last);
  if (relative !== undefined) return { type: 'relative', ...relative };
  return since === undefined || until === undefined ? null : { type: 'absolute', startDate: since, endDate: until };
}

function queryOf(value: Value): Record<string, string> {
  if (value === null) return {};
  return value.type === 'relative'
    ? { last: `${value.amount}-${value.unit}` }
    : { since: value.startDate, until: value.endDate };
}

function validity(value: Value): DateRangePickerProps.ValidationResult {
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
  query: Readonly<Record<string, string>>;
  onChange: (query: Record<string, string>) => void;
}

/** When the entries were written: a time range in the query. */
export function TimeRangeFilter({ query, onChange }: Props) {
  const zone = useStore(timeZone);
  const all = { key: 'all', amount: useRetentionDays(), unit: 'day', type: 'relative' } as const;
  return (
    <DateRangePicker
      value={rangeOf(query)}
      onChange={({ detail }) => onChange(queryOf(detail.value))}
      relativeOptions={[...lengths, all]}
      isValidRange={validity}
      absoluteFormat="long-localized"
      {...(zone === 'utc' ? { getTimeOffset: () => 0 } : { hideTimeOffset: true })}
      placeholder="At any time"
      ariaLabel="When"
      expandToViewport
    />
  );
}
