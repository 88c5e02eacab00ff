import { access, call, routeOf, routesOf } from './route.ts';

const declared = [
  call('getNode', 'Get a node', access.readsOwn, { 3: 'GET nodes/{node_id}', 2: 'POST Nodes/Get', differs: 'Both.' }),
  call('listNodes', 'List nodes', access.reads, { 3: 'GET nodes', 2: 'POST Nodes/List', differs: { 2: 'Second.' } }),
  call('getTypes', 'Types', access.reads, { 3: 'GET nodes/types' }),
  call('outside', 'Outside', access.open, { 3: 'ANY other/{call+}' }),
];
const routes = routesOf('inventory', '/v1/', declared);

test('a declaration becomes a route of each of its generations, PMM 3 first', () => {
  expect(routes.map(({ generation, method, path, differs }) => [generation, method, path, differs])).toEqual([
    [3, 'GET', '/v1/nodes/{node_id}', 'Both.'],
    [3, 'GET', '/v1/nodes', undefined],
    [3, 'GET', '/v1/nodes/types', undefined],
    [3, 'ANY', '/v1/other/{call+}', undefined],
    [2, 'POST', '/v1/Nodes/Get', 'Both.'],
    [2, 'POST', '/v1/Nodes/List', 'Second.'],
  ]);
  expect(routes[4]).toEqual({
    ...{ operation: 'getNode', summary: 'Get a node', role: 'Viewer', limit: 'unaffected' },
    ...{ isScoped: true, facade: 'inventory' },
    ...{ generation: 2, method: 'POST', path: '/v1/Nodes/Get', differs: 'Both.' },
  });
});

test.each([
  ['GET', '/v1/nodes', 'listNodes', {}],
  ['HEAD', '/v1/nodes', 'listNodes', {}],
  ['GET', '/v1/nodes/a%20b', 'getNode', { node_id: 'a b' }],
  ['GET', '/v1/nodes/', 'getNode', { node_id: '' }],
  ['GET', '/v1/nodes/types', 'getTypes', {}],
  ['DELETE', '/v1/other/a/b', 'outside', {}],
  ['DELETE', '/v1/nodes', undefined, undefined],
  ['GET', '/v1/nodes/a/b', undefined, undefined],
  ['GET', '/v1/nodes/%zz', undefined, undefined],
])('%s %s is the call %s', (method, path, operation, params) => {
  const match = routeOf(routes, method, path);
  expect([match?.route.operation, match?.params]).toEqual([operation, params]);
});
