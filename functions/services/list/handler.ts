import { lambda } from '../../lambda.ts';
import { paged } from '../../paged.ts';
import { listServices } from '../../table/list-services.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    listServices(services.table, query, page, services.clock()),
  );
  return { body: { services: objects, ...token } };
});
