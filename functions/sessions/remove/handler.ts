import { lambda } from '../../lambda.ts';
import { removeSession } from '../../table/api-keys.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ caller }, { table }) => {
  await removeSession(table, caller().keyId);
  return undefined;
});
