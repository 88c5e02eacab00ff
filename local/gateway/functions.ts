import { handler as catchAll } from '../../functions/triggers/catch-all/handler.ts';
import { createAuthorizer } from '../../functions/triggers/authorizer/handler.ts';
import { endpoints } from '../../functions/api/endpoints.ts';
import { handlerPath, servedFacades } from '../../functions/facades.ts';
import type { EndpointFunction } from '../../functions/runtime/endpoint-function.ts';
import type { Dependencies } from '../../functions/runtime/dependencies.ts';
import { monotonicMs } from '../../shared/core/monotonic-clock.ts';
import type { LambdaHandler } from '../../shared/http/api-request.ts';
import type { Functions } from './gateway.ts';
import { importHandler } from './import-handler.ts';
import { createPasswordCheck } from '../login/password-check.ts';

function isFunction(module: unknown): module is EndpointFunction {
  return typeof module === 'object' && module !== null && 'handler' in module && 'handlerWith' in module;
}

/**
 * The handlers of all deployed functions, from the folders in their contracts, with the given dependencies.
 */
export async function loadFunctions(dependencies: Dependencies): Promise<Functions> {
  const served = servedFacades(dependencies.pmmCompatibility);
  // One for both: failures at each count for the same address.
  const checkPassword = createPasswordCheck({ now: () => monotonicMs(dependencies.table) });
  const withCheck = { ...dependencies, checkPassword };
  const handlers = await Promise.all(
    [...endpoints, ...served].map(async (contract): Promise<[string, LambdaHandler]> => {
      const { id } = contract;
      const path = handlerPath(contract);
      const module = await importHandler(path);
      if (!isFunction(module)) throw new Error(`${path} exports no handler`);
      return [id, module.handlerWith(withCheck)];
    }),
  );
  return {
    endpoints,
    facades: served,
    handlers: new Map(handlers),
    authorizer: createAuthorizer(() => dependencies, checkPassword),
    catchAll,
    log: dependencies.log,
  };
}
