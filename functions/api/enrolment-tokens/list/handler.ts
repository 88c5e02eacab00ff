import { secondsOf } from '../../../../shared/core/seconds.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listEnrolmentTokens } from '../../../store/credentials/enrolment-tokens.ts';
import { toEnrolmentTokenReply } from '../../../replies/enrolment-token.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, dependencies) => {
  const now = secondsOf(dependencies.clock());
  const { objects, token } = await paged(dependencies, endpoint.id, query, (page) =>
    listEnrolmentTokens(dependencies.table, page),
  );
  const good = objects.filter(({ expires_at: end }) => end > now);
  return { body: { enrolment_tokens: good.map(toEnrolmentTokenReply), ...token } };
});
