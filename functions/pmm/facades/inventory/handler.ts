import { inventoryRoutes } from '../../declarations/inventory-routes.ts';
import * as reads from '../../operations/inventory-reads.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { facade } from './contract.ts';

const changes = () => import('../../operations/inventory-changes.ts');

export const { handler, handlerWith } = createFacadeFunction(facade, inventoryRoutes, { reads, changes });
