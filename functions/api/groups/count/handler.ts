import { makePageToken, readPageToken } from '../../../../shared/db/page-token.ts';
import { DEFAULT_OWNER_LABEL } from '../../../domain/fields/owner-label.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { pageTokenSecret } from '../../../store/credentials/page-token-secret.ts';
import { countGroups } from '../../../store/lists/count-groups.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ query: { after, ...query }, caller }, { table, clock, log, ownerLabel = DEFAULT_OWNER_LABEL }) => {
    const secret = await pageTokenSecret(table);
    const binding = JSON.stringify([endpoint.id, Object.entries(query).sort()]);
    const { next, ...counted } = await countGroups(table, query, {
      after: after === undefined ? undefined : readPageToken(after, binding, secret, 'after'),
      ownerLabel,
      reader: { scope: caller().scope, now: clock(), log },
    });
    return { body: { ...counted, ...(next === undefined ? {} : { next: makePageToken(next, binding, secret) }) } };
  },
);
