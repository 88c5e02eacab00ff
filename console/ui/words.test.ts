import { actorKindText } from './words.ts';

test('a user has one word, whether a password or a session authenticates the call', () => {
  expect(['user', 'session', 'api_key', 'enrolment_token', 'system'].map(actorKindText)).toEqual([
    ...['User', 'User', 'API key', 'Enrolment token', 'System'],
  ]);
});
