import { refusalMessages } from '../../shared/auth/refusal-messages.ts';

/** The credentials of a log-in. */
export type LoginWay = 'password' | 'key';

/** The meaning of a refusal for a session and for an API key. */
const reasons: Readonly<Record<LoginWay, Readonly<Record<string, string>>>> = {
  password: {
    [refusalMessages.invalid]: 'it was ended',
    [refusalMessages.expired]: 'it expired, or the password was changed',
    [refusalMessages.logIn]: 'it was ended, or the identity provider no longer confirms it',
  },
  key: {
    [refusalMessages.invalid]: 'it was removed or rotated',
    [refusalMessages.expired]: 'it expired',
    [refusalMessages.disabled]: 'it was disabled',
  },
};

/**
 * The reason for the end of a session, in a sentence.
 *
 * @param reason a message of the server, or in words.
 */
export function endingText(way: LoginWay, reason: string): string {
  const why = reasons[way][reason] ?? reason;
  return way === 'key'
    ? `The API key that you logged in with no longer works (${why}). Log in with another key or with a password.`
    : `Your session has ended (${why}). Log in again to continue.`;
}
