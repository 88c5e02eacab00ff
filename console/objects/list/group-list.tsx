import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type ReactNode, useState } from 'react';
import { countsText, type StateCounts, stateWords, worstOf } from '../../model/health.ts';
import { NO_VALUE } from '../../search-index/no-value.ts';
import { Words } from '../../ui/breakable-text.tsx';
import { labelOf } from '../../ui/words.ts';

/** More groups are shown on request. */
const SHOWN = 24;

/** The members of a list with one value. */
export interface ListedGroup {
  /** Undefined or empty: those without a value. */
  value: string | undefined;
  count: number;
  counts: StateCounts;
  /** Default: the value. */
  text?: string;
  /** The list of these members; undefined if no filter selects them. */
  to: string | undefined;
}

/** The value of a group with its worst state, the number of its members, and those in each state. */
function GroupLink({ value, count, counts, text = value, to }: ListedGroup) {
  const shown = text === undefined || text === '' ? NO_VALUE : text;
  const { look, word } = stateWords[worstOf(counts) ?? 'live'];
  return (
    <span title={countsText(counts)}>
      <StatusIndicator type={look} iconAriaLabel={`Worst state: ${word}`}>
        {to === undefined ? <Words text={shown} /> : <Link href={to}>{shown}</Link>} {count.toLocaleString('en')}
      </StatusIndicator>
    </span>
  );
}

/** The groups of a list, each a link that narrows it. */
export function GroupList({ label, groups }: { label: string; groups: readonly ListedGroup[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? groups : groups.slice(0, SHOWN);
  return (
    <>
      <ul className="groups" aria-label={label}>
        {shown.map((group) => (
          <li key={`${group.value === undefined ? '-' : '='}${group.value ?? ''}`}>
            <GroupLink {...group} />
          </li>
        ))}
      </ul>
      {groups.length === 0 && <Box color="text-body-secondary">No groups</Box>}
      {shown.length < groups.length && (
        <Button variant="inline-link" onClick={() => setAll(true)}>
          Show all {groups.length.toLocaleString('en')} groups
        </Button>
      )}
    </>
  );
}

interface ChoiceProps {
  properties: readonly string[];
  chosen: string | undefined;
  choose: (property: string) => void;
  /** Further properties. */
  children?: ReactNode;
}

/** The properties by which a list is grouped. */
export function GroupChoice({ properties, chosen, choose, children }: ChoiceProps) {
  return (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      <Box color="text-body-secondary">Group by</Box>
      {properties.map((property) => (
        <Button
          key={property}
          variant="inline-link"
          ariaExpanded={chosen === property}
          ariaLabel={`Group by ${labelOf(property).toLowerCase()}`}
          onClick={() => choose(property)}
        >
          {chosen === property ? <b>{labelOf(property)}</b> : labelOf(property)}
        </Button>
      ))}
      {children}
    </SpaceBetween>
  );
}
