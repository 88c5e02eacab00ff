import { useQueries } from '@tanstack/react-query';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { textOf } from '../../model/kinds.tsx';
import { nameQuery } from '../../model/object-cache.tsx';
import { Words } from '../../ui/breakable-text.tsx';

/** Further objects add hardly a value. */
const MAX_OBJECTS = 3;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  ids: readonly string[];
  field: string;
}

/** The different values of a field of the first objects with these ids, which links of the same row load as well. */
export function RelatedValue<T extends InventoryObject>({ kind, ids, field }: Props<T>) {
  const queries = useQueries({ queries: ids.slice(0, MAX_OBJECTS).map((id) => nameQuery(kind, id)) });
  const values = queries.flatMap(({ data }) => (data?.object === undefined ? [] : (textOf(data.object, field) ?? [])));
  return <Words text={values.length === 0 ? '-' : [...new Set(values)].join(', ')} />;
}
