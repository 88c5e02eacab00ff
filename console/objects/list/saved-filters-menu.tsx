import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import { lazy, Suspense, useState } from 'react';
import {
  type FilteredList,
  hrefOfFilter,
  type SavedFilter,
  useFiltersLoading,
  useSavedFilters,
} from '../../model/saved-filters.tsx';
import { replace, useRoute } from '../../ui/route.tsx';

// Loaded with their first use: a list does not need them.
const SaveDialog = lazy(async () => ({ default: (await import('./save-filter-dialog.tsx')).SaveFilterDialog }));
const ManageDialog = lazy(async () => ({ default: (await import('./manage-filters-dialog.tsx')).ManageFiltersDialog }));

const itemOf = ({ saved_filter_id: id, name, shared, created_by: { name: maker } }: SavedFilter) => ({
  ...{ id, text: name },
  ...(shared ? { secondaryText: `Shared by ${maker}` } : {}),
});

const menuOf = (filters: readonly SavedFilter[], isFiltered: boolean): ButtonDropdownProps.Items => [
  ...filters.map(itemOf),
  { id: 'save', text: 'Save the filter', disabled: !isFiltered, disabledReason: 'The list has no filter.' },
  ...(filters.length === 0 ? [] : [{ id: 'manage', text: 'Manage saved filters' }]),
];

/** The saved filters of a list: with its filters, its order and its groups, but not its page. */
export function SavedFilters({ list }: { list: FilteredList }) {
  const {
    query: { page: _page, ...parameters },
  } = useRoute();
  const filters = useSavedFilters().filter((filter) => filter.list === list);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const close = () => setDialog(undefined);
  const choose = (id: string) => {
    const filter = filters.find((filter) => filter.saved_filter_id === id);
    if (filter === undefined) setDialog(id === 'save' ? 'save' : 'manage');
    else replace(hrefOfFilter(filter));
  };
  return (
    <>
      <ButtonDropdown
        items={menuOf(filters, Object.keys(parameters).length > 0)}
        onItemClick={({ detail }) => choose(detail.id)}
        // In an open menu, filters that arrive would move another item under the pointer.
        loading={useFiltersLoading()}
      >
        Saved filters
      </ButtonDropdown>
      <Suspense>
        {dialog === 'save' && <SaveDialog list={list} parameters={parameters} close={close} />}
        {dialog === 'manage' && <ManageDialog list={list} close={close} />}
      </Suspense>
    </>
  );
}
