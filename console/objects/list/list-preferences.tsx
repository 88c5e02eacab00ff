import CollectionPreferences from '@cloudscape-design/components/collection-preferences';
import * as z from 'zod/mini';
import { type Store, useStore } from '../../api/store.ts';
import { storedJson } from '../../ui/preference.ts';

const schema = z.object({
  pageSize: z.int(),
  /** The columns in their order; undefined for the default. */
  columns: z.optional(z.array(z.object({ id: z.string(), visible: z.boolean() }))),
  wrapLines: z.boolean(),
  density: z.enum(['comfortable', 'compact']),
});

export type ListPreferences = z.output<typeof schema>;

const standardPreferences: ListPreferences = { pageSize: 25, wrapLines: false, density: 'compact' };

const pageSizes = [10, 25, 50, 100];

const stores = new Map<string, Store<ListPreferences>>();

/** The preferences of a list, as this browser stores them. @param folder the list. */
export function listPreferences(folder: string): Store<ListPreferences> {
  const store = stores.get(folder) ?? storedJson(`list-preferences/${folder}`, schema, standardPreferences);
  stores.set(folder, store);
  return store;
}

export const useListPreferences = (folder: string): ListPreferences => useStore(listPreferences(folder));

interface NamedColumn {
  id: string;
  header: string;
  isRowHeader?: boolean | undefined;
  /** Hidden unless the user selects it. */
  optional?: boolean | undefined;
}

/** The columns that are shown, in their order. Columns that a later version adds are last, unless they are optional. */
export function shownColumns<C extends NamedColumn>(columns: readonly C[], { columns: chosen }: ListPreferences): C[] {
  const standard = columns.filter(({ optional }) => optional !== true);
  if (chosen === undefined) return standard;
  const columnsById = new Map(columns.map((column) => [column.id, column]));
  const added = standard.filter(({ id }) => chosen.every((choice) => choice.id !== id));
  const visible = chosen.flatMap(({ id, visible }) => (visible ? (columnsById.get(id) ?? []) : []));
  return [...visible, ...added];
}

export function ListPreferencesButton({ folder, columns }: { folder: string; columns: readonly NamedColumn[] }) {
  const preferences = useListPreferences(folder);
  const shown = shownColumns(columns, preferences);
  const hidden = columns.filter((column) => !shown.includes(column));
  return (
    <CollectionPreferences
      title="Preferences of the list"
      confirmLabel="Confirm"
      cancelLabel="Cancel"
      preferences={{
        pageSize: preferences.pageSize,
        wrapLines: preferences.wrapLines,
        contentDensity: preferences.density,
        contentDisplay: [
          ...shown.map(({ id }) => ({ id, visible: true })),
          ...hidden.map(({ id }) => ({ id, visible: false })),
        ],
      }}
      pageSizePreference={{
        title: 'Page size',
        options: pageSizes.map((value) => ({ value, label: `${value} ${folder}` })),
      }}
      wrapLinesPreference={{ label: 'Wrap lines', description: 'Show the whole text of each cell' }}
      contentDensityPreference={{ label: 'Compact mode', description: 'Show more rows in less space' }}
      contentDisplayPreference={{
        title: 'Columns',
        description: 'Choose the columns and their order.',
        options: columns.map(({ id, header, isRowHeader }) => ({
          id,
          label: header,
          alwaysVisible: isRowHeader === true,
        })),
      }}
      onConfirm={({ detail }) =>
        listPreferences(folder).set({
          pageSize: detail.pageSize ?? standardPreferences.pageSize,
          wrapLines: detail.wrapLines ?? standardPreferences.wrapLines,
          density: detail.contentDensity ?? standardPreferences.density,
          columns: detail.contentDisplay?.map(({ id, visible }) => ({ id, visible })),
        })
      }
    />
  );
}
