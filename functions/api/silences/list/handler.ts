import { toSilenceReply } from '../../../replies/silence.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { readSilences } from '../../../store/entities/silences.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (_, { table, clock }) => {
  const silences = await readSilences(table, clock());
  const inOrder = silences.toSorted((left, right) => left.expires_at - right.expires_at);
  return { body: { silences: inOrder.map(toSilenceReply) } };
});
