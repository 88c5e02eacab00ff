import { TableFault } from '../../../../shared/db/table-fault.ts';
import { ApiError } from '../../../../shared/core/errors.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { isSetUp } from '../../../store/table/health-check.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (_request, { table }) => {
  const isReady = await isSetUp(table).catch((cause: unknown) => {
    if (cause instanceof TableFault) throw cause;
    throw new ApiError('unavailable', 'The table cannot be reached.', { cause, fault: 'table_unreachable' });
  });
  if (!isReady) throw new ApiError('unavailable', 'The table is not initialised yet.');
  return { body: {} };
});
