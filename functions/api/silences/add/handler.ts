import { endAfter } from '../../../../shared/core/seconds.ts';
import { invalidRequest } from '../../../../shared/core/errors.ts';
import { toSilenceReply } from '../../../replies/silence.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { hasMatch } from '../../../store/lists/has-match.ts';
import { addSilence } from '../../../store/silences/change-silences.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { time_to_live: seconds = 0, ...silence } = request.body;
  const writeContext = writeContextOf(request, dependencies);
  if (!(await hasMatch(dependencies.table, silence.selector))) {
    const message = 'Matches no node, service or agent. Correct the selector, or add the objects first.';
    throw invalidRequest([{ field: 'selector', reason: 'no_match', message }]);
  }
  const added = await addSilence(
    dependencies.table,
    { ...silence, expires_at: endAfter(writeContext.now, seconds) },
    writeContext,
  );
  return { body: toSilenceReply(added) };
});
