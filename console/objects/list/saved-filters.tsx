import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useState } from 'react';
import * as z from 'zod/mini';
import { filtersKey, takeOver } from '../../model/filter-owner.ts';
import { useCaller } from '../../ui/caller-context.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Store, useStore } from '../../api/store.ts';
import { storedJson } from '../../ui/preference.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useSubmit } from '../../ui/use-submit.tsx';
import { href, replace } from '../../ui/route.tsx';

const schema = z.array(z.object({ name: z.string(), query: z.record(z.string(), z.string()) }));

type SavedFilter = z.output<typeof schema>[number];

/** Maximum number of filters of one list, so that the menu needs no search. */
const MAX_FILTERS = 30;

const stores = new Map<string, Store<SavedFilter[]>>();

/** The filters of a list that the user has saved in this browser. */
function useFilterStore(folder: string): Store<SavedFilter[]> {
  const caller = useCaller();
  const key = filtersKey(caller, folder);
  const known = stores.get(key);
  if (known !== undefined) return known;
  takeOver(localStorage, caller, folder);
  const store = storedJson(key, schema, []);
  stores.set(key, store);
  return store;
}

const byName = (left: SavedFilter, right: SavedFilter) => left.name.localeCompare(right.name);

/** Asks for the name of a filter. An existing filter with this name is replaced. */
function SaveDialog({ folder, query, close }: { folder: string; query: SavedFilter['query']; close: () => void }) {
  const { get, set } = useFilterStore(folder);
  const [name, setName] = useState('');
  const others = get().filter((filter) => filter.name !== name.trim());
  const error =
    name.trim() === ''
      ? 'Enter a name.'
      : others.length >= MAX_FILTERS
        ? `A list has at most ${MAX_FILTERS} saved filters. Remove one first.`
        : undefined;
  const form = useSubmit({
    check: () => (error === undefined ? [] : [{ field: 'name', reason: 'invalid', message: error }]),
    send: () => {
      set([...others, { name: name.trim(), query }].sort(byName));
      close();
      return Promise.resolve();
    },
  });
  return (
    <FormDialog header="Save the filter" submitText="Save" form={form} close={close}>
      <TextField
        label="Name"
        description="This browser stores the filter for you alone. To share it, send the address of the page."
        value={name}
        error={form.said('name')}
        onChange={setName}
      />
    </FormDialog>
  );
}

/** The filters of a list that this browser stores for the user. */
export function SavedFilters({ folder, query }: { folder: string; query: SavedFilter['query'] }) {
  const store = useFilterStore(folder);
  const filters = useStore(store);
  const [isSaving, setIsSaving] = useState(false);
  const isFiltered = Object.keys(query).length > 0;
  const namesWith = (action: string) => filters.map(({ name }, index) => ({ id: `${action}/${index}`, text: name }));
  return (
    <>
      <ButtonDropdown
        expandableGroups
        items={[
          ...namesWith('open'),
          {
            id: 'save',
            text: 'Save the filter',
            disabled: !isFiltered,
            disabledReason: 'The list has no filter.',
          },
          ...(filters.length === 0 ? [] : [{ text: 'Remove a saved filter', items: namesWith('remove') }]),
        ]}
        onItemClick={({ detail }) => {
          const [action, index] = detail.id.split('/');
          const filter = filters[Number(index)];
          if (action === 'save') setIsSaving(true);
          else if (filter === undefined) return;
          else if (action === 'open') replace(href([folder], filter.query));
          else store.set(filters.filter((one) => one !== filter));
        }}
      >
        Saved filters
      </ButtonDropdown>
      {isSaving && <SaveDialog folder={folder} query={query} close={() => setIsSaving(false)} />}
    </>
  );
}
