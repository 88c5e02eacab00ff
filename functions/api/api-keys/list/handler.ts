import { secondsOf } from '../../../../shared/core/seconds.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { toApiKeyReply } from '../../../replies/api-key.ts';
import { listApiKeys } from '../../../store/credentials/list-api-keys.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const now = secondsOf(dependencies.clock());
  const selection = { prefix: query.name_prefix, excludeHosts: query.exclude_hosts };
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listApiKeys(dependencies.table, page, selection),
  );
  const wanted = objects.filter(
    ({ expires_at }) => query.include_expired || expires_at === undefined || expires_at > now,
  );
  return { body: { api_keys: wanted.map(toApiKeyReply), ...token } };
});
