import { changedService } from '../../behaviour/service.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ params, body, ifMatch, caller }, { table, clock }) => {
    const { object } = await changeObject(
      table,
      { kind: 'service', id: params.service_id, ifMatch, now: clock(), scope: caller().scope },
      (old) => changedService(old, body),
    );
    return { body: object };
  },
);
