import { items, type ItemShape } from '../../functions/store/table/items.ts';
import { patternFrom } from '../../functions/store/table/key-parts.ts';

const patterns = Object.values<ItemShape>(items).map((shape) => ({
  shape,
  pk: patternFrom([shape.pk]),
  sk: patternFrom([shape.sk]),
}));

/** The shape of the item with this key, the first one that matches; undefined when the table has no such item. */
export const shapeOf = ({ pk, sk }: { pk: string; sk: string }): ItemShape | undefined =>
  patterns.find((pattern) => pattern.pk.test(pk) && pattern.sk.test(sk))?.shape;
