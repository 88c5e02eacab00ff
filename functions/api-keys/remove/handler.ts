import { lambda } from '../../lambda.ts';
import { removeApiKey } from '../../table/api-keys.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params }, { table, clock }) => {
  await removeApiKey(table, params.key_id, clock().getTime() / 1000);
  return undefined;
});
