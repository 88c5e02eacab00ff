import { lambda } from '../../../runtime/endpoint-function.ts';
import { paged } from '../../../runtime/paginate.ts';
import { listEnrolmentTokens } from '../../../store/credentials/enrolment-tokens.ts';
import { shownToken } from '../../../replies/enrolment-token.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const now = services.clock().getTime() / 1000;
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    listEnrolmentTokens(services.table, page),
  );
  const good = objects.filter(({ expires_at: end }) => end > now);
  return { body: { enrolment_tokens: good.map(shownToken), ...token } };
});
