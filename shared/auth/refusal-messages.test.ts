import { refusalMessages } from './refusal-messages.ts';

test('a refused caller learns one of five reasons, and no more', () => {
  expect(refusalMessages).toEqual({
    missing: 'Unauthorized',
    invalid: 'Invalid API key',
    expired: 'Expired API key',
    password: 'Invalid username or password',
    logIn: 'Log-in refused',
  });
});
