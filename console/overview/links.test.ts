import { parseSelector } from '../../shared/selector/parse-selector.ts';
import { exampleHref, listHref, placeHref, stateHref, typeHref } from './links.ts';

test('a list of the API leads to the same list in the console', () => {
  expect(listHref({ reason: 'offline', list: '/v1/nodes?state=offline' })).toBe('#/nodes?state=offline');
  // The finding is about enabled agents.
  expect(listHref({ reason: 'not_running', list: '/v1/agents?status=starting,done&state=live' })).toBe(
    '#/agents?status=starting%2Cdone&state=live&disabled=false',
  );
  expect(listHref({ reason: 'waiting', list: '/v1/agents?status=waiting' }, { region: 'a b' })).toBe(
    '#/agents?status=waiting&disabled=false&region=a+b',
  );
  expect(listHref({ reason: 'expires_soon', list: '/v1/api-keys' })).toBe('#/configuration/api-keys?expires=soon');
  expect(listHref({ reason: 'expires_soon', list: '/v1/enrolment-tokens' })).toBe('#/configuration/enrolment-tokens');
  expect(listHref({ reason: 'cleanup_stopped' })).toBeUndefined();
});

test('numbers lead to the objects that they count', () => {
  expect(stateHref('services', 'never_seen')).toBe('#/services?state=never_seen');
  expect(typeHref('agents', 'pmm_agent')).toBe('#/agents?agent_type=pmm_agent');
  expect(typeHref('clusters', 'mysql')).toBe('#/clusters?type=mysql');
  expect(exampleHref('node', 'a b')).toBe('#/nodes/a%20b');
  expect(exampleHref('reconciliation', 'p')).toBe('#/reconcile?plan_id=p');
  expect(exampleHref('api_key', 'k')).toBeUndefined();
});

test('a zone is a selector, whatever its name contains', () => {
  const query = new URLSearchParams(placeHref({ region: 'eu', az: 'a "b" \\c' }, 'stale').split('?')[1]);
  expect([query.get('region'), query.get('state')]).toEqual(['eu', 'stale']);
  expect(parseSelector(query.get('selector') ?? '')).toEqual(parseSelector('az="a \\"b\\" \\\\c"'));
  expect(placeHref({ region: 'eu' })).toBe('#/nodes?region=eu');
});
