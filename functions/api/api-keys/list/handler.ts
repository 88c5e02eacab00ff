import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { shownApiKey } from '../../../replies/api-key.ts';
import { listApiKeys } from '../../../store/credentials/api-keys.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const now = services.clock().getTime() / 1000;
  const { objects, token } = await paged(services, endpoint.id, query, (page) => listApiKeys(services.table, page));
  const wanted = objects.filter(
    ({ expires_at }) => query.include_expired || expires_at === undefined || expires_at > now,
  );
  return { body: { api_keys: wanted.map(shownApiKey), ...token } };
});
