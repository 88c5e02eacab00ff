import type { Item } from '../../shared/db/item.ts';
import { PreparedJson } from '../../shared/http/prepared-json.ts';
import type { VisibleObject } from '../store/entities/key-scope.ts';
import { shownJson } from '../store/entities/shown-json.ts';

/** The reply with an object that the request wrote. @param more fields besides those of the object. */
export function objectJson(object: VisibleObject, more: Item = {}): PreparedJson {
  return new PreparedJson(shownJson({ ...object, ...more }), object.revision);
}
