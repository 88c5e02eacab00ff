import { lambda } from '../../lambda.ts';
import { getObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params }, { table }) => {
  const { object } = await getObject(table, 'service', params.service_id);
  return { body: object };
});
