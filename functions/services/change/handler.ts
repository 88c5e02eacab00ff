import { applyChange } from '../../catalogue/change.ts';
import { serviceAddition } from '../../catalogue/service.ts';
import { recordShape } from '../../catalogue/object-fields.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

const kept = ['service_id', ...Object.keys(recordShape)];

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ params, body, ifMatch, caller }, { table, clock }) => {
    const { object } = await changeObject(
      table,
      { kind: 'service', id: params.service_id, ifMatch, now: clock(), scope: caller().scope },
      (old) => applyChange(serviceAddition, old, body, kept),
    );
    return { body: object };
  },
);
