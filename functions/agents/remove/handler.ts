import { lambda } from '../../lambda.ts';
import { removeObject } from '../../table/removal.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ params, query, ifMatch, caller }, { table, clock }) => {
    await removeObject(table, 'agent', params.agent_id, { ...query, ifMatch, now: clock(), scope: caller().scope });
    return undefined;
  },
);
