import { secondsOf } from '../../../../shared/core/seconds.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { toApiKeyReply } from '../../../replies/api-key.ts';
import { listApiKeys } from '../../../store/credentials/list-api-keys.ts';
import { isOfTeam } from '../../../store/credentials/team-keys.ts';
import { limitOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { query } = request;
  const caller = { limit: limitOf(request.caller(), dependencies) };
  const now = secondsOf(dependencies.clock());
  const selection = { prefix: query.name_prefix, excludeHosts: query.exclude_hosts };
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listApiKeys(dependencies.table, page, selection),
  );
  const wanted = objects.filter(
    (key) => isOfTeam(caller, key) && (query.include_expired || key.expires_at === undefined || key.expires_at > now),
  );
  return { body: { api_keys: wanted.map(toApiKeyReply), ...token } };
});
