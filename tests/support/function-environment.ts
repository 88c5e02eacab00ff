import type { Inventory } from './inventory.ts';

/** The variables of a function in the cloud whose table is that of the inventory. */
export const functionEnvironment = async ({ serve, table }: Inventory): Promise<Record<string, string>> => ({
  TABLE_NAME: table.name,
  SERVICE_VERSION: '1.2.3',
  BUILD_COMMIT: 'abc',
  BUILD_TIME: '2026-01-01T00:00:00.000Z',
  AWS_ENDPOINT_URL_DYNAMODB: await serve(),
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
