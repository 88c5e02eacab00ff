import { labelOf } from '../../../functions/domain/fields/filterable-labels.ts';
import { labelOfProperty, propertyOfLabel } from '../../model/label-tokens.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { labelAttributes } from '../../search-index/indexed-object.ts';
import { labelOf as fieldLabelOf } from '../../ui/words.ts';
import type { Column } from '../cells/column.ts';
import { textCell } from '../cells/text-column.tsx';
import { useLabels } from './label-filter.tsx';
import type { ListPreferences } from './list-preferences.tsx';
import { byNumbers } from '../../../shared/core/by-numbers.ts';

/** The column of a label. Its id is also the field by which it sorts. */
function labelColumn<T extends InventoryObject>({ noun }: Kind<T>, label: string): Column<T> {
  return {
    id: propertyOfLabel(label),
    header: labelAttributes[noun].includes(label) ? fieldLabelOf(label) : label,
    sortBy: propertyOfLabel(label),
    optional: true,
    ...textCell((object) => labelOf(noun, object, label) ?? '-'),
  };
}

/**
 * A column for each label, hidden unless the user selects it: the attributes that are labels of selectors, the labels of
 * the objects shown, those that the index knows once it is complete, and those that the user has selected.
 */
export function useLabelColumns<T extends InventoryObject>(
  kind: Kind<T>,
  shown: readonly T[],
  { columns: chosen = [] }: ListPreferences,
): Column<T>[] {
  const known = Object.keys(useLabels(kind));
  const present = shown.flatMap(({ custom_labels: labels }) => Object.keys(labels));
  const selected = chosen.flatMap(({ id, visible }) => (visible ? (labelOfProperty(id) ?? []) : []));
  const labels = new Set([...labelAttributes[kind.noun], ...known, ...present, ...selected]);
  return [...labels].sort(byNumbers).map((label) => labelColumn(kind, label));
}
