import { makePageToken, readPageToken } from '../../../../shared/db/page-token.ts';
import { DEFAULT_OWNER_LABEL } from '../../../domain/fields/owner-label.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { pageTokenSecret } from '../../../store/credentials/page-token-secret.ts';
import { groupingOf } from '../../../domain/groups/groups.ts';
import { keptGroups } from '../../../store/summary/kept-groups.ts';
import { countGroups } from '../../../store/lists/count-groups.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ query: { after, ...query }, caller }, { table, clock, log, ownerLabel = DEFAULT_OWNER_LABEL }) => {
    const reader = { scope: caller().scope, now: clock(), log };
    const by = groupingOf(query.kind, query.group_by, ownerLabel);
    const isWhole = after === undefined && reader.scope === undefined && by !== undefined;
    const kept = isWhole ? await keptGroups(table, query, by, clock) : undefined;
    if (kept !== undefined) return { body: kept };
    const secret = await pageTokenSecret(table);
    const binding = JSON.stringify([endpoint.id, Object.entries(query).sort()]);
    const { next, ...counted } = await countGroups(table, query, {
      after: after === undefined ? undefined : readPageToken(after, binding, secret, 'after'),
      ownerLabel,
      reader,
    });
    return { body: { ...counted, ...(next === undefined ? {} : { next: makePageToken(next, binding, secret) }) } };
  },
);
