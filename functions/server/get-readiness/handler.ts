import { ApiError } from '../../../shared/http/errors.ts';
import { lambda } from '../../lambda.ts';
import { isSetUp } from '../../table/reachable.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (_request, { table }) => {
  const isReady = await isSetUp(table).catch((cause: unknown) => {
    throw new ApiError('unavailable', 'The table cannot be reached.', { cause });
  });
  if (!isReady) throw new ApiError('unavailable', 'The table is not set up yet.');
  return { body: {} };
});
