import type { ListTotal } from '../store/table/page.ts';
import { PreparedJson } from '../../shared/http/prepared-json.ts';

/**
 * The reply of a list.
 *
 * @param name the field of the reply that contains the list.
 * @param objects as JSON.
 */
export function listJson(
  name: string,
  objects: readonly string[],
  token: { next_page_token?: string } & Partial<ListTotal>,
): PreparedJson {
  const rest = JSON.stringify(token).slice(1);
  return new PreparedJson(`{${JSON.stringify(name)}:[${objects.join(',')}]${rest === '}' ? '' : ','}${rest}`);
}
