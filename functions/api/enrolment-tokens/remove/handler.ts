import { lambda } from '../../../runtime/endpoint-function.ts';
import { removeEnrolmentToken } from '../../../store/credentials/enrolment-tokens.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  await removeEnrolmentToken(services.table, request.params.token_id, originOf(request, services));
  return undefined;
});
