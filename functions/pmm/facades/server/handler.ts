import { serverRoutes } from '../../declarations/server-routes.ts';
import { serverOperations } from '../../operations/server.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { facade } from './contract.ts';

export const { handler, handlerWith } = createFacadeFunction(facade, serverRoutes, { reads: serverOperations });
