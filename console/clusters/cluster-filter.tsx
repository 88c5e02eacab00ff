import Select from '@cloudscape-design/components/select';
import TextFilter from '@cloudscape-design/components/text-filter';
import { states } from '../../functions/domain/fields/liveness.ts';
import { serviceTypes } from '../../functions/domain/service/types.ts';
import { stateWords } from '../model/health.ts';
import { SavedFilters } from '../objects/list/saved-filters.tsx';
import { href, replace, useRoute } from '../ui/route.tsx';

interface ChoiceProps {
  name: 'state' | 'type';
  all: string;
  options: readonly { value: string; label: string }[];
}

/** A filter that stands in the address. */
function Choice({ name, all, options }: ChoiceProps) {
  const { query } = useRoute();
  const any = { value: '', label: all };
  const selected = options.find(({ value }) => value === query[name]) ?? any;
  return (
    <Select
      ariaLabel={all}
      options={[any, ...options]}
      selectedOption={selected}
      onChange={({ detail }) => replace(href(['clusters'], { ...query, [name]: detail.selectedOption.value }))}
    />
  );
}

interface Props {
  text: string;
  matches: number;
  onChange: (text: string) => void;
}

/** The clusters whose name contains a text, with this worst state and services of this type. */
export function ClusterFilter({ text, matches, onChange }: Props) {
  return (
    <div className="filters">
      <TextFilter
        filteringText={text}
        filteringPlaceholder="Find clusters"
        filteringAriaLabel="Find clusters"
        countText={`${matches} ${matches === 1 ? 'match' : 'matches'}`}
        onChange={({ detail }) => onChange(detail.filteringText)}
      />
      <Choice
        name="state"
        all="Any health"
        options={states.map((state) => ({ value: state, label: `Worst: ${stateWords[state].word}` }))}
      />
      <Choice name="type" all="Any type" options={serviceTypes.map((type) => ({ value: type, label: type }))} />
      <SavedFilters list="clusters" />
    </div>
  );
}
