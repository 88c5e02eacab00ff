import { ApiError } from '../../../shared/http/errors.ts';
import { lambda } from '../../lambda.ts';
import { isReachable } from '../../table/reachable.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (_request, { table }) => {
  await isReachable(table).catch((cause: unknown) => {
    throw new ApiError('unavailable', 'The table cannot be reached.', { cause });
  });
  return { body: {} };
});
