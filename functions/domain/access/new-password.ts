import * as z from 'zod/mini';
import { maxPasswordLength } from '../../../shared/auth/account-name.ts';
import { characters } from '../../../shared/core/text.ts';

/** In characters, of a password that a user chooses. */
export const MIN_PASSWORD = 12;

export const newPasswordText = z.string().check(
  z.check(({ value, issues }) => {
    const refuse = (message: string) =>
      issues.push({ code: 'custom', input: value, message, params: { reason: 'out_of_range' } });
    if (characters(value) < MIN_PASSWORD) refuse(`Must have at least ${MIN_PASSWORD} characters.`);
    else if (value.length > maxPasswordLength) refuse(`Must have at most ${maxPasswordLength} characters.`);
  }),
  z.meta({ description: 'The new password.', minLength: MIN_PASSWORD, maxLength: maxPasswordLength }),
);
