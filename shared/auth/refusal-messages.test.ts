import { refusalMessages } from './refusal-messages.ts';

test('a refused caller learns one of seven reasons', () => {
  expect(refusalMessages).toEqual({
    missing: 'Unauthorized',
    invalid: 'Invalid API key',
    token: 'This is an enrolment token, which works at POST /v1/enrolment only. Send the API key in its reply.',
    expired: 'Expired API key',
    disabled: 'Disabled API key',
    password: 'Invalid username or password',
    logIn: 'Log-in refused',
  });
});
