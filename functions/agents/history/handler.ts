import { lambda } from '../../lambda.ts';
import { paged } from '../../paged.ts';
import { shownChange } from '../../shown-change.ts';
import { readHistory } from '../../table/history.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, query, caller }, services) => {
  const of = { kind: 'agent', id: params.agent_id, scope: caller().scope } as const;
  const { objects, token } = await paged(services, `${endpoint.id} ${of.id}`, query, (page) =>
    readHistory(services.table, of, { ...page, now: services.clock() }),
  );
  return { body: { changes: objects.map(shownChange), ...token } };
});
