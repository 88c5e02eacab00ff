import { eventWith } from '../../../shared/testing/event.ts';
import { facade as health } from '../facades/health/contract.ts';
import { facade as inventory } from '../facades/inventory/contract.ts';
import { inventoryRoutes } from '../declarations/inventory-routes.ts';
import { callFinder } from './find-call.ts';

const find = (method: string, path: string, facade = inventory) =>
  callFinder(facade, inventoryRoutes, (reply) => reply)({ ...eventWith({ path }), httpMethod: method });

test('a request selects the call of its method and path, with the role and scope of its route', () => {
  const { contract, route, input } = find('DELETE', '/v1/inventory/nodes/a%20b');
  expect([route?.operation, input]).toEqual(['removeNode', { node_id: 'a b' }]);
  expect(contract).toMatchObject({
    ...{ id: 'pmmInventory', method: 'DELETE', path: '/v1/inventory/nodes/{node_id}', role: 'Editor', scoped: true },
  });
  expect(find('POST', '/v1/inventory/nodes').contract).toMatchObject({ role: 'Editor', scoped: false });
});

test('only callers with credentials learn that a path has no call', () => {
  const { contract, route, input } = find('DELETE', '/v1/inventory/nodes');
  expect([route, input]).toEqual([undefined, {}]);
  expect(contract).toMatchObject({ method: 'GET', path: '(unknown)', role: 'Viewer', scoped: true });
  expect(find('GET', '/ping', health).contract.role).toBe('none');
});
