import Select from '@cloudscape-design/components/select';
import { objectKinds } from '../../functions/domain/fields/object-kind.ts';
import { labelOf } from '../ui/words.ts';
import type { RowFilter } from './comparison-rows.ts';
import { timesOf } from './time-range.ts';
import { TimeRangeFilter } from './time-range-filter.tsx';

interface ChoiceProps {
  label: string;
  allText: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  choose: (value: string) => void;
}

/** A filter by one value, or none. */
function Choice({ label, allText, value = '', options, choose }: ChoiceProps) {
  const all = { value: '', label: allText };
  const selected = [all, ...options].find((option) => option.value === value) ?? { value, label: value };
  return (
    <Select
      inlineLabelText={label}
      selectedOption={selected}
      options={[all, ...options]}
      filteringType={options.length > 10 ? 'auto' : 'none'}
      filteringAriaLabel={`Find a ${label.toLowerCase()}`}
      onChange={({ detail }) => choose(detail.selectedOption.value ?? '')}
      expandToViewport
    />
  );
}

interface Props {
  /** The times and the filters. */
  query: Readonly<Record<string, string>>;
  filter: RowFilter;
  /** The labels of the fields that differ. */
  fields: readonly string[];
  /** Those of the changes. */
  callers: readonly { id: string; name: string }[];
  change: (query: Record<string, string>) => void;
}

/** The two times, the kind and the caller of the changes that are read, and the field. */
export function CompareFilters({ query, filter, fields, callers, change }: Props) {
  const { from, to } = query;
  return (
    <div className="filters">
      <TimeRangeFilter
        query={from === undefined || to === undefined ? {} : { since: from, until: to }}
        onChange={(range) => change({ ...query, ...timesOf(range, Date.now()) })}
      />
      <Choice
        label="Kind"
        allText="All kinds"
        value={filter.kind}
        options={objectKinds.map((kind) => ({ value: kind, label: labelOf(kind) }))}
        choose={(kind) => change({ ...query, kind })}
      />
      <Choice
        label="Caller"
        allText="All callers"
        value={query['actor_id']}
        options={callers.map(({ id, name }) => ({ value: id, label: name }))}
        choose={(id) => change({ ...query, actor_id: id })}
      />
      <Choice
        label="Field"
        allText="All fields"
        value={filter.field}
        options={fields.map((field) => ({ value: field, label: field }))}
        choose={(field) => change({ ...query, field })}
      />
    </div>
  );
}
