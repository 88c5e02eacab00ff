import { endpoint as listAgents } from '../../functions/api/agents/list/endpoint.ts';
import { endpoint as listNodes } from '../../functions/api/nodes/list/endpoint.ts';
import { endpoint as listServices } from '../../functions/api/services/list/endpoint.ts';
import { disabledText } from '../search-index/indexed-object.ts';
import { apiFilters, hasConsoleFilter, isConsoleFilter } from './console-filters.ts';
import { filtersOf } from './filters.ts';

test('every filter of a list is one of the API, or one that the console applies, and never both', () => {
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

test('a request has only the filters of the API', () => {
  const filters = { cluster: 'pxc', disabled: 'false', status: 'waiting' };
  expect(apiFilters('agent', filters)).toEqual({ cluster: 'pxc', status: 'waiting' });
  expect(hasConsoleFilter('agent', { disabled: '' })).toBe(false);
  expect(hasConsoleFilter('agent', { disabled: 'true' })).toBe(true);
});

test('an agent without the field is enabled', () => {
  expect([{ disabled: true }, { disabled: false }, {}].map(disabledText)).toEqual(['true', 'false', 'false']);
});
