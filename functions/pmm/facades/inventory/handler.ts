import { inventoryRoutes } from '../../declarations/inventory-routes.ts';
import { inventoryOperations } from '../../operations/inventory.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { facade } from './contract.ts';

export const { handler, handlerWith } = createFacadeFunction(facade, inventoryRoutes, inventoryOperations);
