import { skipToken, useQuery } from '@tanstack/react-query';
import { endpoint as addSavedFilter } from '../../functions/api/saved-filters/add/endpoint.ts';
import { endpoint as changeSavedFilter } from '../../functions/api/saved-filters/change/endpoint.ts';
import { endpoint as listSavedFilters } from '../../functions/api/saved-filters/list/endpoint.ts';
import { roleAllows } from '../../shared/auth/roles.ts';
import { call, type CallOf, type ReplyOf } from '../api/client.tsx';
import { queries } from '../api/queries.tsx';
import type { Caller } from '../api/session.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { href } from '../ui/route.tsx';

export type SavedFilter = ReplyOf<typeof listSavedFilters>['saved_filters'][number];

/** The lists with saved filters, as folders of the console. */
export type FilteredList = SavedFilter['list'];

const queryKey = ['names', 'saved-filters'];

const none: readonly SavedFilter[] = [];

function useFiltersQuery() {
  const mayList = useMay(listSavedFilters);
  const load = async ({ signal }: { signal: AbortSignal }) =>
    (await call(listSavedFilters, {}, { signal, background: true })).saved_filters;
  return useQuery({ queryKey, queryFn: mayList ? load : skipToken });
}

/** The shared filters and those of the user, by name; none until they are loaded. */
export const useSavedFilters = (): readonly SavedFilter[] => useFiltersQuery().data ?? none;

/** Whether the filters are loaded for the first time. */
export const useFiltersLoading = (): boolean => useFiltersQuery().isLoading;

export const reloadFilters = () => queries.invalidateQueries({ queryKey });

export const hrefOfFilter = ({ list, parameters }: Pick<SavedFilter, 'list' | 'parameters'>) =>
  href([list], parameters);

/** Whether the server lets the user change and remove the filter. */
export const mayChangeFilter = ({ shared, own }: Pick<SavedFilter, 'shared' | 'own'>, { role }: Pick<Caller, 'role'>) =>
  role === 'Admin' ? shared || own : own && (!shared || roleAllows(role, 'Editor'));

/** @param ifMatch undefined for a pin, which is no change of the filter. */
export async function changeFilter(
  { saved_filter_id: id }: SavedFilter,
  body: CallOf<typeof changeSavedFilter>['body'],
  ifMatch?: number,
): Promise<void> {
  await call(changeSavedFilter, { params: { saved_filter_id: id }, body }, { ifMatch });
}

export type FilterToSave = CallOf<typeof addSavedFilter>['body'] & { pinned: boolean };

/** Saves a filter, or replaces the parameters of `present`. */
export async function saveFilter({ pinned, ...body }: FilterToSave, present: SavedFilter | undefined): Promise<void> {
  if (present === undefined) {
    const added = await call(addSavedFilter, { body });
    if (pinned) await changeFilter(added, { pinned });
  } else await changeFilter(present, { parameters: body.parameters, pinned }, present.revision);
  await reloadFilters();
}
