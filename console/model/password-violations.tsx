import { MIN_PASSWORD, newPasswordText } from '../../functions/domain/access/new-password.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { violationsOf } from '../api/client.tsx';

/** The rule of new passwords, in words. */
export const passwordRule = `At least ${MIN_PASSWORD} characters.`;

/** The violations of a new password that is typed twice. */
export function passwordViolations(password: string, repeated: string): Violation[] {
  const [violation] = violationsOf(newPasswordText, password);
  const isSame = password === repeated;
  return [
    ...(violation === undefined ? [] : [{ ...violation, field: 'new_password' }]),
    ...(isSame ? [] : [{ field: 'repeated', reason: 'not_equal', message: 'The two passwords differ.' }]),
  ];
}
