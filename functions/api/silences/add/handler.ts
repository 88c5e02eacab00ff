import { endAfter } from '../../../../shared/core/seconds.ts';
import { toSilenceReply } from '../../../replies/silence.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { addSilence } from '../../../store/silences/change-silences.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { time_to_live: seconds = 0, ...silence } = request.body;
  const writeContext = writeContextOf(request, dependencies);
  const end = endAfter(writeContext.now, seconds);
  const added = await addSilence(dependencies.table, { ...silence, expires_at: end }, writeContext);
  return { body: toSilenceReply(added) };
});
