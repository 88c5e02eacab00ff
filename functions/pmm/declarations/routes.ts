import { inventoryRoutes } from './inventory-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { managementRoutes } from './management-routes.ts';
import type { Route } from './route.ts';
import { healthRoutes, serverRoutes } from './server-routes.ts';

/** Every call of PMM that is served or refused by name. */
export const routes: readonly Route[] = [
  ...inventoryRoutes,
  ...managementRoutes,
  ...serverRoutes,
  ...keyRoutes,
  ...healthRoutes,
];
