import { lambda } from '../../lambda.ts';
import { removeEnrolmentToken } from '../../table/enrolment-tokens.ts';
import { originOf } from '../../table/origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  await removeEnrolmentToken(services.table, request.params.token_id, originOf(request, services));
  return undefined;
});
