import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { apiKeyCounterKey } from '../table/keys.ts';
import type { PageOptions } from '../table/page.ts';
import { readItem } from '../table/read.ts';
import { isPermanentAdmin, MAX_API_KEYS } from './key-counters.ts';
import { listApiKeys } from './list-api-keys.ts';

/**
 * Sets the counts of the keys of programs to those of the list. They differ when the seals of keys became invalid, or
 * valid again. Nothing else may add or remove keys at the same time.
 */
export async function recountKeys(table: Table): Promise<void> {
  const counts = { api_keys: 0, permanent_admins: 0 };
  let after: PageOptions['after'];
  do {
    const page = await listApiKeys(table, { size: MAX_API_KEYS, after }, { excludeHosts: true });
    counts.api_keys += page.objects.length;
    counts.permanent_admins += page.objects.filter(isPermanentAdmin).length;
    after = page.next;
  } while (after !== undefined);
  const { api_keys: counted = 0, permanent_admins: admins = 0 } = (await readItem(table, apiKeyCounterKey)) ?? {};
  if (counted === counts.api_keys && admins === counts.permanent_admins) return;
  await writeItem(table, { put: { ...apiKeyCounterKey, ...counts } });
}
