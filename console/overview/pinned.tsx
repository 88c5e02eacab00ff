import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { countFilter, type FilterCount } from '../model/filter-count.tsx';
import { countsText, stateWords, worstOf } from '../model/health.ts';
import { hrefOfFilter, type SavedFilter, useSavedFilters } from '../model/saved-filters.tsx';
import { COSTLY_STATES_MS } from '../ui/auto-refresh.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { labelOf, numberText } from '../ui/words.ts';

const countText = ({ count, isComplete }: FilterCount) => `${numberText(count)}${isComplete ? '' : '+'}`;

/** The name of a filter with the number of its objects and their worst state. */
function PinnedFilter({ filter }: { filter: SavedFilter }) {
  const { list, parameters, name } = filter;
  const load = (signal: AbortSignal) => countFilter(filter, signal);
  const { value = null, loading, failure } = useLoad(['count', list, parameters], load, COSTLY_STATES_MS);
  const worst = value === null ? undefined : worstOf(value.counts);
  const { look, word } = worst === undefined ? { look: 'info' as const, word: 'none' } : stateWords[worst];
  return (
    <span title={value === null ? failure?.message : countsText(value.counts)}>
      <StatusIndicator type={loading ? 'loading' : look} iconAriaLabel={`Worst state: ${word}`}>
        <Link href={hrefOfFilter(filter)}>
          <Words text={name} />
        </Link>{' '}
        {value === null ? '' : countText(value)} {labelOf(list).toLowerCase()}
      </StatusIndicator>
    </span>
  );
}

/** The filters that the user has pinned; nothing without any. */
export function PinnedFilters() {
  const pinned = useSavedFilters().filter((filter) => filter.pinned);
  if (pinned.length === 0) return null;
  return (
    <Container header={<Header variant="h2">Pinned filters</Header>}>
      <ul className="groups" aria-label="Pinned filters">
        {pinned.map((filter) => (
          <li key={filter.saved_filter_id}>
            <PinnedFilter filter={filter} />
          </li>
        ))}
      </ul>
    </Container>
  );
}
