import { endpoint as listAgents } from '../../functions/api/agents/list/endpoint.ts';
import { endpoint as listNodes } from '../../functions/api/nodes/list/endpoint.ts';
import { endpoint as listServices } from '../../functions/api/services/list/endpoint.ts';
import { disabledText } from '../search-index/indexed-object.ts';
import { testOfObject } from '../search-index/match-filters.ts';
import { apiFilters, consoleFiltersOf, hasConsoleFilter, isConsoleFilter } from './console-filters.ts';
import { filtersOf } from './filters.ts';

test("every filter of a list is either the API's or the console's", () => {
  for (const [kind, endpoint] of [
    ['node', listNodes],
    ['service', listServices],
    ['agent', listAgents],
  ] as const)
    for (const { name } of filtersOf(endpoint)) {
      const isOfApi = Object.hasOwn(endpoint.query.shape, name);
      expect([kind, name, isOfApi]).toEqual([kind, name, !isConsoleFilter(kind, name)]);
    }
});

test("a request has only the API's filters", () => {
  const filters = { cluster: 'pxc', disabled: 'false', status: 'waiting' };
  expect(apiFilters('agent', filters)).toEqual({ cluster: 'pxc', status: 'waiting' });
  expect(hasConsoleFilter('agent', { disabled: '' })).toBe(false);
  expect(hasConsoleFilter('agent', { disabled: 'true' })).toBe(true);
});

test("objects from the API are tested with the console's filters", () => {
  const filters = consoleFiltersOf('node', { name_contains: 'b-1', region: 'eu' });
  expect(filters).toEqual({ name_contains: 'b-1' });
  const test = testOfObject('node', filters);
  const matching = ['db-1', 'DB-11', 'api-1'].filter((name) => test({ node_name: name, custom_labels: {} }));
  expect(matching).toEqual(['db-1', 'DB-11']);
  expect(() => testOfObject('node', { state: 'live' })).toThrow('not decidable');
});

test('agents are filtered by the port on which they listen', () => {
  const test = testOfObject('agent', { port: '42000' });
  expect([42000, 4200, undefined].map((listen_port) => test({ listen_port, custom_labels: {} }))).toEqual([
    ...[true, false, false],
  ]);
});

test('an agent without the field is enabled', () => {
  expect([{ disabled: true }, { disabled: false }, {}].map(disabledText)).toEqual(['true', 'false', 'false']);
});
