import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { readAudit } from '../../../store/audit/query.ts';
import { toAuditEntryReply } from '../../../replies/audit-entry.ts';
import { endpoint } from './endpoint.ts';

const momentOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const { actor_id: actorId, object_id: objectId, event, since, until } = query;
  const question = { actorId, objectId, event, since: momentOf(since), until: momentOf(until) };
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    readAudit(dependencies.table, question, { ...page, now: dependencies.clock() }),
  );
  return { body: { entries: objects.map(toAuditEntryReply), ...token } };
});
