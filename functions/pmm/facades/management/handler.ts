import { managementRoutes } from '../../declarations/management-routes.ts';
import { managementOperations } from '../../operations/management.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { facade } from './contract.ts';

export const { handler, handlerWith } = createFacadeFunction(facade, managementRoutes, managementOperations);
