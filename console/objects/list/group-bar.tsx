import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { type Grouping, groupProperties } from '../../../functions/domain/groups/groups.ts';
import { filtersOfGroup, type Group, groupByLabel, groupingOf, groupQueryOf, readGroups } from '../../model/groups.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { useServerVersion } from '../../model/server-version.tsx';
import { labelAttributes } from '../../search-index/indexed-object.ts';
import { COSTLY_STATES_MS } from '../../ui/auto-refresh.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { href } from '../../ui/route.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { labelOf } from '../../ui/words.ts';
import { wordText } from './filter-suggestions.tsx';
import { GroupChoice, GroupList, type ListedGroup } from './group-list.tsx';
import { useLabels } from './label-filter.tsx';
import { type ListAddress, queryOf } from './list-address.ts';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  address: ListAddress;
  go: (address: ListAddress) => void;
  /** Other menus of the list. */
  children?: ReactNode;
}

/** The label of the deployment whose values are owners. */
const useOwnerLabel = () => useServerVersion().owner_label ?? 'team';

/** The properties by which a list is grouped, and the groups of the chosen one, which narrow the list. */
export function GroupBar<T extends InventoryObject>({ kind, address, go, children }: Props<T>) {
  const owner = useOwnerLabel();
  const labels = [...new Set([...labelAttributes[kind.noun], ...Object.keys(useLabels(kind))])];
  const { groupBy } = address;
  const by = groupBy === undefined ? undefined : groupingOf(kind, groupBy, owner);
  const choose = (chosen: string) => go({ ...address, groupBy: chosen === groupBy ? undefined : chosen });
  const others = labels.filter((label) => label !== owner);
  return (
    <SpaceBetween size="xs">
      <GroupChoice properties={[...groupProperties[kind.noun], 'owner']} chosen={groupBy} choose={choose}>
        {others.length > 0 && (
          <ButtonDropdown
            variant="inline-icon"
            ariaLabel="Group by a label"
            items={others.map((label) => ({ id: groupByLabel(label), text: label }))}
            onItemClick={({ detail }) => choose(detail.id)}
          />
        )}
        {children}
      </GroupChoice>
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
  return (
    <>
      <GroupList
        label={`${kind.title} by ${'label' in by ? by.label : labelOf(by.property)}`}
        groups={groups.map((group) => listed(kind, address, by, group))}
      />
      {!isComplete && <Box color="text-body-secondary">Only a part of the {kind.folder} was counted.</Box>}
    </>
  );
}

function listed<T extends InventoryObject>(
  kind: Kind<T>,
  address: ListAddress,
  by: Grouping,
  group: Group,
): ListedGroup {
  const { value, count, by_state: counts } = group;
  const isWord = 'property' in by && (by.property === 'state' || by.property === 'status');
  const narrowed = filtersOfGroup(kind, address.filters, by, group);
  const to =
    narrowed && href([kind.folder], queryOf({ ...address, filters: narrowed, pageIndex: 1, groupBy: undefined }));
  return { value, count, counts, to, ...(isWord && value !== undefined ? { text: wordText(value) } : {}) };
}
