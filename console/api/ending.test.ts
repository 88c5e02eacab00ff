import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { endingText } from './ending.ts';

test('the notice after a log-in names its credential: a session or an API key', () => {
  const { invalid, expired, disabled, logIn } = refusalMessages;
  expect(endingText('password', invalid)).toBe('Your session has ended (it was ended). Log in again to continue.');
  expect(endingText('password', expired)).toContain('(it expired, or the password was changed)');
  expect(endingText('password', logIn)).toContain('(it was ended, or the identity provider no longer confirms it)');
  expect(endingText('key', invalid)).toBe(
    'The API key that you logged in with no longer works (it was removed or rotated). Log in with another key or with a password.',
  );
  expect(endingText('key', expired)).toContain('(it expired)');
  expect(endingText('key', disabled)).toContain('(it was disabled)');
  expect(endingText('password', 'it expired at 12:00')).toContain('(it expired at 12:00)');
});
