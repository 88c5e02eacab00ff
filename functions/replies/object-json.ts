import { PreparedJson } from '../../shared/http/prepared-json.ts';
import { shownJson } from '../store/entities/shown-json.ts';

/** The reply with an object that the request wrote. */
export function objectJson(object: { revision: number }): PreparedJson {
  return new PreparedJson(shownJson({ ...object }), object.revision);
}
