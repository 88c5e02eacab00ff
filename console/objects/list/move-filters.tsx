import type { Caller } from '../../api/session.tsx';
import { ApiFailure } from '../../api/client.tsx';
import { type FilteredList, reloadFilters, saveFilter } from '../../model/saved-filters.tsx';
import { moveStoredFilters, type StoredFilter } from '../../model/stored-filters.ts';
import { flash } from '../../ui/flash.ts';
import { failureOf } from '../../ui/use-load.tsx';

const isTaken = (error: unknown) => error instanceof ApiFailure && error.status === 409;

/** Moves the filters of a list that this browser stores into the inventory, for the user alone. */
export async function moveFilters(caller: Caller, list: FilteredList): Promise<void> {
  const save = async ({ name, query: parameters }: StoredFilter) => {
    const filter = { list, parameters, shared: false, pinned: false };
    try {
      await saveFilter({ ...filter, name }, undefined);
    } catch (error) {
      if (!isTaken(error)) throw error;
      await saveFilter({ ...filter, name: `${name} (of a browser)` }, undefined);
    }
  };
  try {
    await moveStoredFilters(localStorage, caller, list, save);
    flash.add({ type: 'success', content: 'The inventory contains the filters now. All your browsers show them.' });
  } catch (error) {
    flash.add({ type: 'error', header: 'A filter could not be moved', content: failureOf(error).message });
  }
  await reloadFilters();
}
