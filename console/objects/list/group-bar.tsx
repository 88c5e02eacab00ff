import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { type Grouping, groupProperties } from '../../../functions/domain/groups/groups.ts';
import { filtersOfGroup, type Group, groupByLabel, groupingOf, groupQueryOf, readGroups } from '../../model/groups.tsx';
import { countsText, stateWords, worstOf } from '../../model/health.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { useServerVersion } from '../../model/server-version.tsx';
import { NO_VALUE } from '../../search-index/no-value.ts';
import { COSTLY_STATES_MS } from '../../ui/auto-refresh.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { href } from '../../ui/route.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { labelOf } from '../../ui/words.ts';
import { wordText } from './filter-suggestions.tsx';
import { useLabels } from './label-filter.tsx';
import { type ListAddress, queryOf } from './list-address.ts';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  address: ListAddress;
  go: (address: ListAddress) => void;
}

/** More groups are shown on request. */
const SHOWN = 24;

/** The label of the deployment whose values are owners. */
const useOwnerLabel = () => useServerVersion().owner_label ?? 'team';

/** The properties by which a list is grouped, and the groups of the chosen one, which narrow the list. */
export function GroupBar<T extends InventoryObject>({ kind, address, go }: Props<T>) {
  const owner = useOwnerLabel();
  const labels = Object.keys(useLabels(kind));
  const { groupBy } = address;
  const by = groupBy === undefined ? undefined : groupingOf(kind, groupBy, owner);
  const choose = (chosen: string) => go({ ...address, groupBy: chosen === groupBy ? undefined : chosen });
  const others = labels.filter((label) => label !== owner);
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <Box color="text-body-secondary">Group by</Box>
        {[...groupProperties[kind.noun], 'owner' as const].map((property) => (
          <Button
            key={property}
            variant="inline-link"
            ariaExpanded={groupBy === property}
            ariaLabel={`Group by ${labelOf(property).toLowerCase()}`}
            onClick={() => choose(property)}
          >
            {groupBy === property ? <b>{labelOf(property)}</b> : labelOf(property)}
          </Button>
        ))}
        {others.length > 0 && (
          <ButtonDropdown
            variant="inline-icon"
            ariaLabel="Group by a label"
            items={others.map((label) => ({ id: groupByLabel(label), text: label }))}
            onItemClick={({ detail }) => choose(detail.id)}
          />
        )}
      </SpaceBetween>
      {groupBy !== undefined && by !== undefined && (
        <GroupsOf key={groupBy} kind={kind} address={address} groupBy={groupBy} by={by} />
      )}
    </SpaceBetween>
  );
}

interface GroupsProps<T extends InventoryObject> extends Pick<Props<T>, 'kind' | 'address'> {
  groupBy: string;
  by: Grouping;
}

function GroupsOf<T extends InventoryObject>({ kind, address, groupBy, by }: GroupsProps<T>) {
  const { filters } = address;
  const [all, setAll] = useState(false);
  const { others } = groupQueryOf(kind, filters, groupBy);
  const load = (signal: AbortSignal) => readGroups(kind, filters, groupBy, signal);
  const key = ['groups', kind.folder, filters, groupBy];
  const { value, failure, reload } = useLoad(key, others.length > 0 ? undefined : load, COSTLY_STATES_MS);
  if (others.length > 0)
    return (
      <Alert type="info">
        The list cannot be grouped with the filter {others.map((name) => labelOf(`${kind.folder}.${name}`)).join(', ')}.
      </Alert>
    );
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The groups could not be counted" retry={reload} />;
  if (value === undefined) return <StatusIndicator type="loading">Counting</StatusIndicator>;
  const { groups, isComplete } = value;
  const shown = all ? groups : groups.slice(0, SHOWN);
  return (
    <>
      <ul className="groups" aria-label={`${kind.title} by ${'label' in by ? by.label : labelOf(by.property)}`}>
        {shown.map((group) => (
          <li key={`${group.value === undefined ? '-' : '='}${group.value ?? ''}`}>
            <GroupLink kind={kind} address={address} by={by} group={group} />
          </li>
        ))}
      </ul>
      {groups.length === 0 && <Box color="text-body-secondary">No groups</Box>}
      {shown.length < groups.length && (
        <Button variant="inline-link" onClick={() => setAll(true)}>
          Show all {groups.length.toLocaleString('en')} groups
        </Button>
      )}
      {!isComplete && <Box color="text-body-secondary">Only a part of the {kind.folder} was counted.</Box>}
    </>
  );
}

interface GroupProps<T extends InventoryObject> extends Pick<GroupsProps<T>, 'kind' | 'address' | 'by'> {
  group: Group;
}

/** The value of a group with its worst state, the number of its objects, and those in each state. */
function GroupLink<T extends InventoryObject>({ kind, address, by, group }: GroupProps<T>) {
  const { value, count, by_state: counts } = group;
  const isWord = 'property' in by && (by.property === 'state' || by.property === 'status');
  const text = value === undefined || value === '' ? NO_VALUE : isWord ? wordText(value) : value;
  const narrowed = filtersOfGroup(kind, address.filters, by, group);
  const to =
    narrowed && href([kind.folder], queryOf({ ...address, filters: narrowed, pageIndex: 1, groupBy: undefined }));
  const { look, word } = stateWords[worstOf(counts) ?? 'live'];
  return (
    <span title={countsText(counts)}>
      <StatusIndicator type={look} iconAriaLabel={`Worst state: ${word}`}>
        {to === undefined ? <Words text={text} /> : <Link href={to}>{text}</Link>} {count.toLocaleString('en')}
      </StatusIndicator>
    </span>
  );
}
