import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { removeEnrolmentToken } from '../../../store/credentials/enrolment-tokens.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  await removeEnrolmentToken(dependencies.table, request.params.token_id, writeContextOf(request, dependencies));
  return undefined;
});
