import { errorBody } from '../../../../shared/core/errors.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { restoreRemoval } from '../../../store/inventory/restore.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params } = request;
  const { restored, kept } = await restoreRemoval(
    dependencies.table,
    params.removal_id,
    writeContextOf(request, dependencies),
  );
  const notRestored = kept.map(({ object, error }) => ({
    ...object,
    status: errorBody(error.kind, error.message, request.requestId).status,
    message: error.message,
  }));
  return { body: { restored, not_restored: notRestored } };
});
