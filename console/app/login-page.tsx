import { base } from '../api/base.tsx';
import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api/client.tsx';
import { fetchConsole } from './load-page.tsx';
import { logInWithKey, logInWithPassword } from './log-in.tsx';
import type { LoginWay } from '../api/ending.ts';
import type { SessionState } from '../api/session.tsx';
import { Notice } from './notice.tsx';

const ways: readonly { way: LoginWay; label: string }[] = [
  { way: 'password', label: 'Password' },
  { way: 'key', label: 'API key' },
];

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

async function logIn(way: LoginWay, form: FormData): Promise<void> {
  if (way === 'key') await logInWithKey(textOf(form, 'key').trim());
  else await logInWithPassword(textOf(form, 'user'), textOf(form, 'password'));
}

function explain(error: unknown): string {
  if (!(error instanceof ApiFailure)) throw error;
  return error.requestId === undefined || error.status === 401
    ? error.message
    : `${error.message} (Request ${error.requestId})`;
}

/** The choice between the password and the API key. */
function LoginWays({ way, onChange }: { way: LoginWay; onChange: (way: LoginWay) => void }) {
  return (
    <fieldset className="login-ways">
      <legend className="visually-hidden">Log in with</legend>
      {ways.map((one) => (
        <label key={one.way} className="login-way">
          <input type="radio" name="way" value={one.way} checked={way === one.way} onChange={() => onChange(one.way)} />
          <span>{one.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface FieldsProps {
  /** The field that has the focus first. */
  first: RefObject<HTMLInputElement | null>;
}

function PasswordFields({ first }: FieldsProps) {
  return (
    <>
      <label className="login-field">
        <span>User</span>
        <input
          name="user"
          autoComplete="username"
          defaultValue="admin"
          required
          autoCapitalize="none"
          spellCheck={false}
        />
      </label>
      <label className="login-field">
        <span>Password</span>
        <input ref={first} name="password" type="password" autoComplete="current-password" required />
      </label>
    </>
  );
}

function KeyField({ first }: FieldsProps) {
  return (
    <label className="login-field">
      <span>API key</span>
      <input
        ref={first}
        name="key"
        type="password"
        autoComplete="off"
        placeholder="minv_…"
        required
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby="login-key-hint"
      />
      <small id="login-key-hint">
        The role of the key determines your permissions. The browser does not store the key: enter it again after a
        reload.
      </small>
    </label>
  );
}

interface Props {
  notice: Extract<SessionState, { kind: 'out' }>['notice'];
}

export function LoginPage({ notice }: Props) {
  const [way, setWay] = useState<LoginWay>(notice?.way ?? 'password');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);

  useEffect(() => {
    document.title = 'Log in - Monitoring inventory';
    // After the first paint: most users log in and need these files next.
    const idle = setTimeout(fetchConsole, 300);
    return () => clearTimeout(idle);
  }, []);
  useEffect(() => first.current?.focus(), [way]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setFailure(undefined);
    try {
      await logIn(way, new FormData(form));
    } catch (error) {
      setFailure(explain(error));
      setBusy(false);
      first.current?.focus();
    }
  };

  return (
    <main className="login">
      <form className="login-card" onSubmit={(event) => void submit(event)} aria-labelledby="login-title">
        <p className="login-brand">
          <img src={`${base}/favicon.svg`} alt="" width="28" height="28" />
          Monitoring inventory
        </p>
        <h1 id="login-title">Log in</h1>
        {failure === undefined && notice !== undefined && <Notice type="info">{notice.text}</Notice>}
        {failure !== undefined && <Notice type="error">{failure}</Notice>}
        <LoginWays
          way={way}
          onChange={(next) => {
            setWay(next);
            setFailure(undefined);
          }}
        />
        {way === 'password' ? <PasswordFields first={first} /> : <KeyField first={first} />}
        <button type="submit" className="login-button" disabled={busy}>
          {busy ? 'Logging in…' : 'Log in'}
        </button>
        <p className="login-more">
          For programs, see the <a href={`${base}/swagger/`}>API browser</a> .
        </p>
      </form>
    </main>
  );
}
