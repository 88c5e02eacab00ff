import { endpoint as listAgents } from '../../functions/api/agents/list/endpoint.ts';
import { endpoint as listNodes } from '../../functions/api/nodes/list/endpoint.ts';
import { agentTypes } from '../../functions/domain/agent/types.ts';
import { states } from '../../functions/domain/fields/liveness.ts';
import { filtersOf, wordsValue } from './filters.ts';

const filterOf = (endpoint: typeof listAgents | typeof listNodes, wanted: string) =>
  filtersOf(endpoint).find(({ name }) => name === wanted);

test('the values of enumerations and word lists are known without the inventory', () => {
  expect(filterOf(listAgents, 'agent_type')).toMatchObject({ values: [...agentTypes], field: undefined });
  expect(filterOf(listNodes, 'state')).toMatchObject({ values: [...states], field: undefined });
  expect(filterOf(listAgents, 'status')?.values).toContain('running');
});

test('values of other fields are read, and those of objects searched', () => {
  expect(filterOf(listNodes, 'region')).toMatchObject({ values: [], field: 'region' });
  expect(filterOf(listAgents, 'service_id')).toMatchObject({ values: [], field: undefined, target: 'service' });
  // A filter that the API does not have.
  expect(filterOf(listAgents, 'disabled')).toMatchObject({ values: ['false', 'true'], field: undefined });
  // Values of other kinds.
  expect(filterOf(listAgents, 'region')).toMatchObject({ field: 'region', fieldOf: 'node' });
  expect(filterOf(listAgents, 'version')).toMatchObject({ mayBeEmpty: true });
  expect(filterOf(listNodes, 'cluster')).not.toHaveProperty('mayBeEmpty');
  expect(filterOf(listAgents, 'cluster')).toMatchObject({ field: 'cluster', fieldOf: 'service' });
});

test('several states and statuses can be chosen or excluded', () => {
  expect(filterOf(listNodes, 'state')?.isList).toBe(true);
  expect(filterOf(listNodes, 'node_type')?.isList).toBe(false);
  const filter = { values: [...states] };
  expect(wordsValue(filter, ['offline', 'stale'], false)).toBe('stale,offline');
  expect(wordsValue(filter, ['live'], true)).toBe('stale,offline,never_seen');
  expect(wordsValue(filter, [...states], false)).toBeUndefined();
  expect(wordsValue(filter, [...states], true)).toBeUndefined();
  expect(wordsValue(filter, ['asleep'], false)).toBe('asleep');
});
