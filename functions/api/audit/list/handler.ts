import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { readAudit } from '../../../store/audit/query.ts';
import { shownEntry } from '../../../replies/audit-entry.ts';
import { endpoint } from './endpoint.ts';

const momentOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const { actor_id: actorId, object_id: objectId, event, since, until } = query;
  const question = { actorId, objectId, event, since: momentOf(since), until: momentOf(until) };
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    readAudit(services.table, question, { ...page, now: services.clock() }),
  );
  return { body: { entries: objects.map(shownEntry), ...token } };
});
