import { lambda } from '../../lambda.ts';
import { showObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, caller }, { table }) => {
  const { object } = await showObject(table, 'service', params.service_id, caller().scope);
  return { body: object };
});
