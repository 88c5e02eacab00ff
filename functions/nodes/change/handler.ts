import { changedNode } from '../../behaviour/node.ts';
import { lambda } from '../../lambda.ts';
import { changeObject } from '../../table/objects.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(
  endpoint,
  async ({ params, body, ifMatch, caller }, { table, clock }) => {
    const { object } = await changeObject(
      table,
      { kind: 'node', id: params.node_id, ifMatch, now: clock(), scope: caller().scope },
      (old) => changedNode(old, body),
    );
    return { body: object };
  },
);
