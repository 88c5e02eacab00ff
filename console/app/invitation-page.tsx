import { useEffect, useRef, useState } from 'react';
import { invalidRequest } from '../../shared/core/errors.ts';
import { ApiFailure, logInAsUser } from '../api/client.tsx';
import { passwordRule, passwordViolations } from '../model/password-violations.tsx';
import { href, replace } from '../ui/route.tsx';
import { LoginCard, textOf, useLogIn } from './login-card.tsx';

interface Invitation {
  user: string;
  invitation: string;
}

/** Sets the password, which opens a session. The invitation works once. */
async function accept({ user, invitation }: Invitation, form: FormData): Promise<void> {
  const password = textOf(form, 'password');
  const violations = passwordViolations(password, textOf(form, 'repeated'));
  if (violations.length > 0) throw new ApiFailure(400, invalidRequest(violations));
  await logInAsUser({ method: 'invitation', user_name: user, invitation, new_password: password });
  replace(href(['overview']));
}

interface Props {
  /** As in the link. */
  query: Readonly<Record<string, string>>;
}

/** The page of the link with which a user accepts an invitation. */
export default function InvitationPage({ query: { user = '', invitation = '' } }: Props) {
  const [given] = useState({ user, invitation });
  const first = useRef<HTMLInputElement>(null);
  const form = useLogIn(
    (data) => accept(given, data),
    () => first.current?.focus(),
  );
  useEffect(() => {
    document.title = 'Accept an invitation - Monitoring inventory';
    // Neither the address bar nor the history keeps the invitation.
    history.replaceState(null, '', location.pathname);
    first.current?.focus();
  }, []);
  return (
    <LoginCard
      title="Accept the invitation"
      form={form}
      notice={`Choose a password. ${passwordRule}`}
      submit={{ text: 'Set the password and log in', busy: 'Logging in…' }}
      more={
        <p className="login-more">
          The invitation works once. If it has expired, ask an Admin for another one, or{' '}
          <a href={href(['overview'])}>log in</a>.
        </p>
      }
    >
      <label className="login-field">
        <span>User</span>
        <input name="user" autoComplete="username" value={given.user} readOnly />
      </label>
      <label className="login-field">
        <span>New password</span>
        <input ref={first} name="password" type="password" autoComplete="new-password" required />
      </label>
      <label className="login-field">
        <span>New password again</span>
        <input name="repeated" type="password" autoComplete="new-password" required />
      </label>
    </LoginCard>
  );
}
