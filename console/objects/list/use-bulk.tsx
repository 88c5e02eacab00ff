import { useState } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { foreignReasonOfAll, useOwnerLimit } from '../../model/own-objects.tsx';
import { readAll } from '../../model/read-all.tsx';
import { flash } from '../../ui/flash.ts';
import { failureOf } from '../../ui/use-load.tsx';
import type { BulkProps, BulkVerb } from '../bulk/bulk-dialog.tsx';
import { LazyBulkDialog } from '../bulk/lazy-bulk-dialog.tsx';
import { FilterText } from './filter-text.tsx';
import { numberText } from '../../ui/words.ts';

/** Maximum number of objects of one action. */
export const MAX_CHANGED = 5000;

/** A list with its selection. */
export interface BulkList<T extends InventoryObject> {
  kind: Kind<T>;
  filters: ListQuery;
  total: number | undefined;
  selected: readonly T[];
  select: (objects: readonly T[]) => void;
  /** Loads the list again after an action. */
  reload: () => void;
}

/**
 * Reads all objects of the list, also those of other pages.
 *
 * @returns undefined after a message about the reason.
 */
export async function readMatches<T extends InventoryObject>({ kind, filters, total = 0 }: BulkList<T>) {
  try {
    const all = total > MAX_CHANGED ? undefined : await readAll(kind, filters, { max: MAX_CHANGED });
    if (all !== undefined) return all;
    const most = numberText(MAX_CHANGED);
    flash.add({
      type: 'error',
      content: `The list has more than ${most} ${kind.folder}. Add a filter, or select some of them.`,
    });
  } catch (error) {
    flash.add({ type: 'error', content: failureOf(error).message });
  }
  return undefined;
}

/** An action with its objects, which stay the same, however the list and its selection change. */
interface DialogState<T extends InventoryObject> extends Pick<BulkProps<T>, 'verb' | 'objects' | 'from'> {
  /** Selects the objects that are left, in the list of the action. */
  select: (objects: readonly T[]) => void;
}

/** The actions on objects of the list: on the selected ones, or without a selection on all of the list. */
export function useBulk<T extends InventoryObject>(props: BulkList<T>) {
  const { kind, filters, selected, select, reload } = props;
  const limit = useOwnerLimit();
  const [reading, setReading] = useState<BulkVerb>();
  const [open, setOpen] = useState<DialogState<T>>();
  const beginWithAll = async (verb: BulkVerb) => {
    setReading(verb);
    const objects = await readMatches(props);
    setReading(undefined);
    if (objects === undefined) return;
    const foreign = foreignReasonOfAll(limit, kind, objects);
    if (foreign !== undefined) {
      flash.add({ type: 'error', content: foreign });
      return;
    }
    const isFiltered = Object.keys(filters).length > 0;
    const from = (
      <>
        All {kind.folder}
        {isFiltered && ' with '}
        {isFiltered && <FilterText kind={kind} query={filters} />}
      </>
    );
    setOpen({ verb, objects, from, select });
  };
  return {
    reading,
    begin: (verb: BulkVerb) => {
      if (selected.length > 0) setOpen({ verb, objects: selected, select });
      else if (reading === undefined) void beginWithAll(verb);
    },
    dialog: open !== undefined && (
      <LazyBulkDialog
        {...open}
        kind={kind}
        close={() => setOpen(undefined)}
        ended={(rest) => {
          open.select(rest);
          reload();
        }}
      />
    ),
  };
}
