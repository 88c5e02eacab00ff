import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Dependencies } from '../functions/runtime/dependencies.ts';
import { initialiseTable } from '../functions/runtime/initialise-table.ts';
import { addApiKey } from '../functions/store/credentials/add-api-key.ts';
import type { ApiKey } from '../functions/store/credentials/api-keys.ts';
import { startEngineProcess } from '../tests/support/engine-process.ts';
import { ensureTable } from '../local/engine/table.ts';
import { apiKeyPrefix } from '../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../shared/auth/api-key-text.ts';
import { openTable, type Table } from '../shared/db/table.ts';
import { jsonLog } from '../shared/core/log.ts';

/** Adds an API key that only reads. */
export async function newKey(table: Table): Promise<{ text: string; hash: string }> {
  const text = newApiKeySecret(randomBytes);
  const hash = hashApiKeySecret(text);
  const record: ApiKey = {
    key_id: randomUUID(),
    kind: 'api_key',
    name: 'bench',
    role: 'Viewer',
    prefix: apiKeyPrefix(text),
    created_at: new Date().toISOString(),
    created_by: { kind: 'user', id: 'admin', name: 'admin' },
  };
  await addApiKey(table, record, hash, {
    actor: { kind: 'system', id: 'bench', name: 'bench' },
    requestId: 'bench',
    now: new Date(),
  });
  return { text, hash };
}

export const ADMIN_PASSWORD = 'correct horse battery staple';

/** An engine in memory with an empty table, and the services of production but for where the log goes. */
export interface Inventory {
  dependencies: Dependencies;
  /** What a function of this inventory finds in its environment. */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

export async function startInventory(): Promise<Inventory> {
  // The engine has a processor of its own, as in the cloud.
  const engine = await startEngineProcess();
  const environment = {
    TABLE_NAME: `bench-${randomUUID()}`,
    SERVICE_VERSION: '0.0.0',
    BUILD_COMMIT: 'bench',
    BUILD_TIME: '2026-01-01T00:00:00.000Z',
    LOG_LEVEL: 'error',
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: '',
  };
  Object.assign(process.env, environment);
  // The lines are made and written, as in production, but to nowhere.
  const sink = openSync(devNull, 'w');
  const dependencies: Dependencies = {
    table: openTable(environment.TABLE_NAME, environment),
    clock: () => new Date(),
    newId: randomUUID,
    randomBytes,
    log: jsonLog((line) => writeSync(sink, line)),
    build: { version: '0.0.0', commit: 'bench', time: '2026-01-01T00:00:00.000Z' },
  };
  await ensureTable(dependencies.table);
  await initialiseTable(dependencies, { given: ADMIN_PASSWORD, reset: false });
  return {
    dependencies,
    environment,
    stop: async () => {
      dependencies.table.client.destroy();
      closeSync(sink);
      await engine.stop();
    },
  };
}
