import { errorBody } from '../../../../shared/http/errors.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { restoreRemoval } from '../../../store/inventory/restore.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params } = request;
  const { restored, kept } = await restoreRemoval(services.table, params.removal_id, originOf(request, services));
  const notRestored = kept.map(({ object, error }) => ({
    ...object,
    status: errorBody(error.kind, error.message, request.requestId).status,
    message: error.message,
  }));
  return { body: { restored, not_restored: notRestored } };
});
