import DateRangePicker from '@cloudscape-design/components/date-range-picker';
import { useStore } from '../api/store.ts';
import { timeZone } from '../ui/time-format.ts';
import { errorOf, queryOf, rangeOf } from './time-range.ts';
import { useRetentionDays } from '../model/server-version.tsx';

const lengths = [
  { key: 'hour', amount: 1, unit: 'hour', type: 'relative' },
  { key: 'day', amount: 1, unit: 'day', type: 'relative' },
  { key: 'week', amount: 7, unit: 'day', type: 'relative' },
] as const;

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
      isValidRange={(value) => {
        const errorMessage = errorOf(value);
        return errorMessage === undefined ? { valid: true } : { valid: false, errorMessage };
      }}
      absoluteFormat="long-localized"
      {...(zone === 'utc' ? { getTimeOffset: () => 0 } : { hideTimeOffset: true })}
      placeholder="At any time"
      ariaLabel="When"
      expandToViewport
    />
  );
}
