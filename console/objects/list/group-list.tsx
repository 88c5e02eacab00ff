import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type ReactNode, useState } from 'react';
import { countsText, lookOfAll, type StateCounts } from '../../model/health.ts';
import { NO_VALUE } from '../../search-index/no-value.ts';
import { Words } from '../../ui/breakable-text.tsx';
import { useNarrow } from '../../ui/use-narrow.tsx';
import { labelOf, numberText } from '../../ui/words.ts';
import { StateBar } from '../cells/state-bar.tsx';

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

/** The value of a group with the number of its members, and the share of those in each state. Red only if none is live. */
function GroupLink({ value, count, counts, text = value, to }: ListedGroup) {
  const shown = text === undefined || text === '' ? NO_VALUE : text;
  const look = lookOfAll(counts);
  const words = <Words text={shown} />;
  const name = to === undefined ? words : <Link href={to}>{words}</Link>;
  return (
    <span className="group" title={countsText(counts)}>
      <span role="img" aria-label={countsText(counts)}>
        <StateBar counts={counts} />
      </span>
      <span>
        {look === 'error' ? (
          <StatusIndicator type="error" iconAriaLabel="None is live">
            {name}
          </StatusIndicator>
        ) : (
          name
        )}{' '}
        {numberText(count)}
      </span>
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
          Show all {numberText(groups.length)} groups
        </Button>
      )}
    </>
  );
}

interface ChoiceProps {
  properties: readonly string[];
  chosen: string | undefined;
  choose: (property: string) => void;
  /** Further properties, and other menus of the list. */
  children?: ReactNode;
}

/** The properties by which a list is grouped; in narrow windows a menu. */
export function GroupChoice({ properties, chosen, choose, children }: ChoiceProps) {
  if (useNarrow())
    return (
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <ButtonDropdown
          items={properties.map((id) => ({ id, text: labelOf(id), itemType: 'checkbox', checked: id === chosen }))}
          onItemClick={({ detail }) => choose(detail.id)}
        >
          Group by
        </ButtonDropdown>
        {children}
      </SpaceBetween>
    );
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

interface Order {
  /** The id of a column. */
  column: string;
  isDescending: boolean;
}

interface SortProps {
  /** Those by which the list sorts. */
  columns: readonly { id: string; header: string }[];
  order: Order | undefined;
  sort: (order: Order) => void;
}

/** For narrow windows, where cards have no headers of columns: the order of a list. The same choice again reverses it. */
export function SortMenu({ columns, order, sort }: SortProps) {
  if (!useNarrow()) return null;
  return (
    <ButtonDropdown
      items={columns.map(({ id, header }) => ({
        id,
        text: header,
        ...(id === order?.column ? { secondaryText: order.isDescending ? 'Descending' : 'Ascending' } : {}),
      }))}
      onItemClick={({ detail: { id } }) =>
        sort({ column: id, isDescending: id === order?.column && !order.isDescending })
      }
    >
      Sort by
    </ButtonDropdown>
  );
}
