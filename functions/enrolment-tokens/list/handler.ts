import { lambda } from '../../lambda.ts';
import { paged } from '../../paged.ts';
import { listEnrolmentTokens } from '../../table/enrolment-tokens.ts';
import { shownToken } from '../shown-token.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ query }, services) => {
  const now = services.clock().getTime() / 1000;
  const { objects, token } = await paged(services, endpoint.id, query, (page) =>
    listEnrolmentTokens(services.table, page),
  );
  const good = objects.filter(({ expires_at: end }) => end > now);
  return { body: { enrolment_tokens: good.map(shownToken), ...token } };
});
