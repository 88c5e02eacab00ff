import { lambda } from '../../lambda.ts';
import { removeEnrolmentToken } from '../../table/enrolment-tokens.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params }, { table }) => {
  await removeEnrolmentToken(table, params.token_id);
  return undefined;
});
