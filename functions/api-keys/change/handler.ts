import { lambda } from '../../lambda.ts';
import { changeRateLimit } from '../../table/api-keys.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, body }, { table, clock }) => {
  await changeRateLimit(table, params.key_id, body.rate_limit_per_minute, clock());
  return undefined;
});
