import { declaredService } from '../../behaviour/service.ts';
import { declaredName } from '../../catalogue/declared-name.ts';
import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { newRecord } from '../../table/record.ts';
import { upsertService } from '../../table/upsert.ts';
import { upserted } from '../../upserted.ts';
import { endpoint } from './endpoint.ts';

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
      next: (old) => declaredService(old, declared),
    },
  );
  return upserted(result, ({ service_id: id }) => `/v1/services/${id}`);
});
