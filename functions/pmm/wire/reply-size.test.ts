import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { inventoryRoutes } from '../declarations/inventory-routes.ts';
import { keyRoutes } from '../declarations/key-routes.ts';
import { managementRoutes } from '../declarations/management-routes.ts';
import { collector, tooLarge } from './reply-size.ts';

test('the error of a list names our paged list', () => {
  const lists = [...inventoryRoutes, ...managementRoutes, ...keyRoutes].filter(({ operation }) =>
    operation.startsWith('list'),
  );
  const named = lists.map(
    (route) => [route.operation, /Use (.*?)(, which has pages)?\.$/.exec(tooLarge(route).message)?.[1]] as const,
  );
  expect(Object.fromEntries(named)).toEqual({
    ...{ listNodes: 'GET /v1/nodes', listUniversalNodes: 'GET /v1/nodes' },
    ...{ listServices: 'GET /v1/services', listUniversalServices: 'GET /v1/services' },
    ...{ listAgents: 'GET /v1/agents', listUniversalAgents: 'GET /v1/agents', listAgentVersions: 'GET /v1/agents' },
    ...{ listServiceAccounts: 'a filter', listGrafanaKeys: 'a filter', listServiceAccountTokens: 'a filter' },
    listServiceTypes: 'a filter',
  });
});

test('objects are collected up to the size of a reply, and refused above', () => {
  const [route] = inventoryRoutes.filter(({ operation }) => operation === 'listAgents');
  const { objects, add } = collector<number>(route!);
  add(1, 'x'.repeat(MAX_RESULT_BYTES - 1));
  add(2, 'x');
  expect(objects).toEqual([1, 2]);
  expect(() => add(3, 'x')).toThrow('Use GET /v1/agents');
});
