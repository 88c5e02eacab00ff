import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { removeSilence } from '../../../store/silences/change-silences.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  await removeSilence(dependencies.table, request.params.silence_id, writeContextOf(request, dependencies));
  return undefined;
});
