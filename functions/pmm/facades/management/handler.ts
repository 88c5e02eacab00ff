import { managementRoutes } from '../../declarations/management-routes.ts';
import * as reads from '../../operations/management-reads.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { facade } from './contract.ts';

const changes = () => import('../../operations/management-changes.ts');

export const { handler, handlerWith } = createFacadeFunction(facade, managementRoutes, { reads, changes });
