import { lambda } from '../../lambda.ts';
import { paged } from '../../paged.ts';
import { shownApiKey } from '../../shown-api-key.ts';
import { listApiKeys } from '../../table/api-keys.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const now = services.clock().getTime() / 1000;
  const { objects, token } = await paged(services, endpoint.id, query, (page) => listApiKeys(services.table, page));
  const wanted = objects.filter(
    ({ expires_at }) => query.include_expired || expires_at === undefined || expires_at > now,
  );
  return { body: { api_keys: wanted.map(shownApiKey), ...token } };
});
