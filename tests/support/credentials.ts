import { randomUUID } from 'node:crypto';
import { addApiKey } from '../../functions/store/credentials/add-api-key.ts';
import type { ApiKey } from '../../functions/store/credentials/api-keys.ts';
import type { AccessContext } from '../../functions/store/audit/access-events.ts';
import type { Table } from '../../shared/db/table.ts';
import { contextOf } from './store.ts';
import { testTime } from './test-time.ts';

/** The cause of a change of credentials by the service itself. */
export const causeAt = (now: Date, more: Partial<AccessContext> = {}): AccessContext => ({
  ...contextOf({ clock: () => now }),
  ...more,
});

export const apiKey = (more: Partial<ApiKey> = {}): ApiKey => ({
  key_id: randomUUID(),
  kind: 'api_key',
  name: randomUUID(),
  role: 'Viewer',
  prefix: 'minv_aB3x',
  created_at: '2026-05-01T10:00:00.000Z',
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  ...more,
});

/** Adds a key under its id as hash. */
export async function addKey(table: Table, more: Partial<ApiKey> = {}, now = testTime()): Promise<ApiKey> {
  const key = apiKey(more);
  await addApiKey(table, key, key.key_id, causeAt(now));
  return key;
}
