import { inventoryRoutes } from '../declarations/inventory-routes.ts';
import { managementRoutes } from '../declarations/management-routes.ts';
import * as inventoryChanges from './inventory-changes.ts';
import * as inventoryReads from './inventory-reads.ts';
import * as managementChanges from './management-changes.ts';
import * as managementReads from './management-reads.ts';

const functions = [
  ['inventory', inventoryRoutes, inventoryReads, inventoryChanges],
  ['management', managementRoutes, managementReads, managementChanges],
] as const;

test.each(functions)('%s: reads are what a Viewer may call, changes are all others', (_, routes, reads, changes) => {
  const served = routes.filter(({ operation }) => operation !== 'unimplemented');
  const calledBy = (isViewer: boolean) =>
    [
      ...new Set(served.filter(({ role }) => (role === 'Viewer') === isViewer).map(({ operation }) => operation)),
    ].sort();
  expect(Object.keys(reads).sort()).toEqual(calledBy(true));
  expect(Object.keys(changes).sort()).toEqual(calledBy(false));
});
