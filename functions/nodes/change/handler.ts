import { applyChange } from '../../catalogue/change.ts';
import { nodeAddition } from '../../catalogue/node.ts';
import { recordShape } from '../../catalogue/object-fields.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

const kept = ['node_id', ...Object.keys(recordShape)];

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ params, body, ifMatch, caller }, { table, clock }) => {
    const { object } = await changeObject(
      table,
      { kind: 'node', id: params.node_id, ifMatch, now: clock(), scope: caller().scope },
      (old) => applyChange(nodeAddition, old, body, kept),
    );
    return { body: object };
  },
);
