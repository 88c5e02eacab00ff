import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import Toggle from '@cloudscape-design/components/toggle';
import { useState } from 'react';
import { endpoint as removeSavedFilter } from '../../../functions/api/saved-filters/remove/endpoint.ts';
import { roleAllows } from '../../../shared/auth/roles.ts';
import { type ApiFailure, call } from '../../api/client.tsx';
import type { Caller } from '../../api/session.tsx';
import {
  changeFilter,
  type FilteredList,
  mayChangeFilter,
  reloadFilters,
  type SavedFilter,
  useSavedFilters,
} from '../../model/saved-filters.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { useCaller } from '../../ui/caller-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { failureOf } from '../../ui/use-load.tsx';

async function removeFilter({ saved_filter_id: id, revision }: SavedFilter): Promise<void> {
  await call(removeSavedFilter, { params: { saved_filter_id: id } }, { ifMatch: revision });
}

type Run = (action: () => Promise<void>) => void;

const columnsOf = (caller: Caller, run: Run): TableProps.ColumnDefinition<SavedFilter>[] => [
  { id: 'name', header: 'Name', isRowHeader: true, cell: ({ name }) => <Words text={name} /> },
  { id: 'maker', header: 'Saved by', cell: ({ own, created_by: { name } }) => (own ? 'You' : <Words text={name} />) },
  {
    id: 'pinned',
    header: 'Pinned',
    cell: (filter) => (
      <Toggle
        checked={filter.pinned}
        ariaLabel={`Pin ${filter.name}`}
        onChange={({ detail }) => run(() => changeFilter(filter, { pinned: detail.checked }))}
      />
    ),
  },
  {
    id: 'shared',
    header: 'Shared',
    cell: (filter) => (
      <Toggle
        checked={filter.shared}
        disabled={!filter.own || !roleAllows(caller.role, 'Editor')}
        ariaLabel={`Share ${filter.name}`}
        onChange={({ detail }) => run(() => changeFilter(filter, { shared: detail.checked }, filter.revision))}
      />
    ),
  },
  {
    id: 'remove',
    header: 'Actions',
    cell: (filter) =>
      mayChangeFilter(filter, caller) && (
        <Button
          variant="inline-link"
          ariaLabel={`Remove ${filter.name}`}
          onClick={() => run(() => removeFilter(filter))}
        >
          Remove
        </Button>
      ),
  },
];

/** The saved filters of a list: the user pins, shares and removes them. */
export function ManageFiltersDialog({ list, close }: { list: FilteredList; close: () => void }) {
  const caller = useCaller();
  const filters = useSavedFilters().filter((filter) => filter.list === list);
  const [failure, setFailure] = useState<ApiFailure>();
  const run = async (action: () => Promise<void>) => {
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      setFailure(failureOf(error));
    }
    await reloadFilters();
  };
  return (
    <Dialog
      header="Saved filters"
      size="large"
      onDismiss={close}
      buttons={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <SpaceBetween size="m">
        {failure !== undefined && <FailureAlert failure={failure} what="The saved filter could not be changed" />}
        <Table
          variant="embedded"
          items={filters}
          trackBy="saved_filter_id"
          wrapLines
          ariaLabels={{ tableLabel: 'Saved filters' }}
          columnDefinitions={columnsOf(caller, (action) => void run(action))}
          empty="No saved filters"
        />
      </SpaceBetween>
    </Dialog>
  );
}
