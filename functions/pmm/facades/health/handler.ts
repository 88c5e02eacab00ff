import { healthRoutes } from '../../declarations/server-routes.ts';
import { healthOperations } from '../../operations/server.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { facade } from './contract.ts';

export const { handler, handlerWith } = createFacadeFunction(facade, healthRoutes, { reads: healthOperations });
