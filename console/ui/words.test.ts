import { actorKindText, matchesText, plural } from './words.ts';

test('a user has one word, whether a password or a session authenticates the call', () => {
  expect(['user', 'session', 'api_key', 'enrolment_token', 'system'].map(actorKindText)).toEqual([
    ...['User', 'User', 'API key', 'Enrolment token', 'System'],
  ]);
});

test('a count has separators of thousands, and its noun in the plural', () => {
  expect([plural(1, 'node'), plural(14_599, 'object')]).toEqual(['1 node', '14,599 objects']);
  expect([matchesText(1), matchesText(25, true), matchesText(1983)]).toEqual([
    '1 match',
    '25+ matches',
    '1,983 matches',
  ]);
});
