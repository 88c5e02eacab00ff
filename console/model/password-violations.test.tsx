import { MIN_PASSWORD } from '../../functions/domain/access/new-password.ts';
import { passwordRule, passwordViolations } from './password-violations.tsx';

const long = 'x'.repeat(MIN_PASSWORD);

test('a new password is long enough, and typed twice', () => {
  expect(passwordRule).toContain(String(MIN_PASSWORD));
  expect(passwordViolations(long, long)).toEqual([]);
  expect(passwordViolations(long.slice(1), long.slice(1))).toMatchObject([{ field: 'new_password' }]);
  expect(passwordViolations(long, `${long}y`)).toMatchObject([{ field: 'repeated', reason: 'not_equal' }]);
  expect(passwordViolations('', 'y').map(({ field }) => field)).toEqual(['new_password', 'repeated']);
});
