import { replaced } from '../../catalogue/change.ts';
import { declaredName } from '../../catalogue/declared-name.ts';
import { recordShape } from '../../catalogue/object-fields.ts';
import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { newRecord } from '../../table/record.ts';
import { upsertService } from '../../table/upsert.ts';
import { upserted } from '../../upserted.ts';
import { endpoint } from './endpoint.ts';

const kept = ['service_id', ...Object.keys(recordShape)];

/** A program may name the nodes in another order each time: that is no change. */
function inKnownOrder(known: readonly string[], declared: readonly string[]): readonly string[] {
  const isSame = known.length === declared.length && declared.every((id) => known.includes(id));
  return isSame ? known : declared;
}

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params, body, ifMatch, ifNoneMatch } = request;
  const { table, clock, newId } = services;
  const now = clock();
  const declared = { ...body, service_name: declaredName('service_name', params.service_name, body.service_name) };
  const result = await upsertService(
    table,
    declared,
    { ifMatch, ifNoneMatch, origin: originOf(request, services) },
    {
      add: () => ({ service_id: newId(), ...declared, ...newRecord(now) }),
      next: (old) => replaced(old, { ...declared, node_ids: inKnownOrder(old.node_ids, declared.node_ids) }, kept),
    },
  );
  return upserted(result, ({ service_id: id }) => `/v1/services/${id}`);
});
