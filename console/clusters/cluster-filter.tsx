import SpaceBetween from '@cloudscape-design/components/space-between';
import Select from '@cloudscape-design/components/select';
import TextFilter from '@cloudscape-design/components/text-filter';
import type { ReactNode } from 'react';
import { states } from '../../functions/domain/fields/liveness.ts';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { serviceTypes } from '../../functions/domain/service/types.ts';
import { stateWords } from '../model/health.ts';
import { SavedFilters } from '../objects/list/saved-filters-menu.tsx';
import { clusterGroups, clusterProperties, type ClusterProperty } from '../model/clusters.ts';
import { href, replace, useRoute } from '../ui/route.tsx';
import { labelOf, matchesText } from '../ui/words.ts';
import { ClusterGroups } from './cluster-groups.tsx';

interface ChoiceProps {
  name: ClusterProperty;
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
  clusters: readonly Cluster[];
  matches: readonly Cluster[];
  onChange: (text: string) => void;
  /** Other menus of the list. */
  children: ReactNode;
}

const typeOptions = serviceTypes.map((type) => ({ value: type, label: type }));
const stateOptions = states.map((state) => ({ value: state, label: `Worst: ${stateWords[state].word}` }));

/** The filters by what is always shown; the others are shown once they are chosen in the groups. */
const ALWAYS: ReadonlySet<string> = new Set(['region', 'environment']);

/** The clusters whose name contains a text, with this worst state, and these values. */
export function ClusterFilter({ text, clusters, matches, onChange, children }: Props) {
  const { query } = useRoute();
  const choices = clusterProperties.filter(
    (name) => name !== 'state' && name !== 'type' && (ALWAYS.has(name) || Object.hasOwn(query, name)),
  );
  return (
    <SpaceBetween size="xs">
      <div className="filters">
        <TextFilter
          filteringText={text}
          filteringPlaceholder="Find clusters"
          filteringAriaLabel="Find clusters"
          countText={matchesText(matches.length)}
          onChange={({ detail }) => onChange(detail.filteringText)}
        />
        <Choice name="state" all="Any health" options={stateOptions} />
        <Choice name="type" all="Any type" options={typeOptions} />
        {choices.map((name) => (
          <Choice
            key={name}
            name={name}
            all={`Any ${labelOf(name).toLowerCase()}`}
            options={clusterGroups(clusters, name).map(({ value }) => ({ value, label: value }))}
          />
        ))}
        <SavedFilters list="clusters" />
      </div>
      <ClusterGroups clusters={matches}>{children}</ClusterGroups>
    </SpaceBetween>
  );
}
