import { base } from '../api/base.tsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api/client.tsx';
import { fetchConsole } from './fetch-console.tsx';
import { loadMethods, logInWithKey, logInWithPassword, type OfferedMethod } from './log-in.tsx';
import { LoginCard, textOf, useLogIn } from './login-card.tsx';
import { beginProviderLogIn, providerLogOut, type ProviderMethod } from './provider-log-in.tsx';
import type { SessionState } from '../api/session.tsx';

interface WayOption {
  way: string;
  label: string;
  /** Of an identity provider. */
  method?: ProviderMethod;
  /** Of the password: the account `admin` cannot log in. */
  isAdminDisabled?: boolean;
}

const keyWay: WayOption = { way: 'key', label: 'API key' };

/** The choices while the server has not answered, or cannot. */
const usualWays: readonly WayOption[] = [{ way: 'password', label: 'Password' }, keyWay];

/** The choices that the server offers. A key is always one. */
const waysOf = (methods: readonly OfferedMethod[]): readonly WayOption[] => [
  ...methods.map((method) =>
    method.method === 'oidc'
      ? { way: `oidc ${method.provider}`, label: method.title, method }
      : { way: method.method, label: method.title, isAdminDisabled: method.admin_account === 'disabled' },
  ),
  keyWay,
];

function useWays(): readonly WayOption[] {
  const [ways, setWays] = useState(usualWays);
  useEffect(() => {
    loadMethods().then(
      (methods) => setWays(waysOf(methods)),
      (error: unknown) => {
        // The log-in itself states the failure.
        if (!(error instanceof ApiFailure)) throw error;
      },
    );
  }, []);
  return ways;
}

async function logIn({ way, method }: WayOption, form: FormData): Promise<void> {
  if (method !== undefined) await beginProviderLogIn(method);
  else if (way === 'key') await logInWithKey(textOf(form, 'key').trim());
  else await logInWithPassword(textOf(form, 'user').trim(), textOf(form, 'password'));
}

interface WaysProps {
  ways: readonly WayOption[];
  way: string;
  onChange: (way: string) => void;
}

/** The choice between the ways to log in. */
function LoginWays({ ways, way, onChange }: WaysProps) {
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

function PasswordFields({ first, isAdminDisabled }: FieldsProps & { isAdminDisabled: boolean }) {
  return (
    <>
      <label className="login-field">
        <span>User</span>
        <input
          // A field keeps the value that it was made with.
          key={String(isAdminDisabled)}
          name="user"
          autoComplete="username"
          defaultValue={isAdminDisabled ? '' : 'admin'}
          required
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={isAdminDisabled ? 'login-user-hint' : undefined}
        />
        {isAdminDisabled && <small id="login-user-hint">The account admin is disabled: log in as your own user.</small>}
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

/** The provider asks for the rest. */
function ProviderFields({ method }: { method: ProviderMethod }) {
  const logOut = providerLogOut(method);
  return (
    <p className="login-more">
      You log in at {method.title}, which then returns to this page.
      {logOut !== undefined && (
        <>
          {' '}
          <a href={logOut}>Log out at {method.title}</a> to log in there as another person.
        </>
      )}
    </p>
  );
}

interface Props {
  notice: Extract<SessionState, { kind: 'out' }>['notice'];
}

export function LoginPage({ notice }: Props) {
  const ways = useWays();
  const [chosen, setChosen] = useState(notice?.way);
  const option = ways.find((one) => one.way === chosen) ?? ways[0] ?? keyWay;
  const { way, method, isAdminDisabled = false } = option;
  const first = useRef<HTMLInputElement>(null);
  const form = useLogIn(
    (data) => {
      // While the server checks the password. An identity provider has a page of its own first.
      if (method === undefined) fetchConsole();
      return logIn(option, data);
    },
    () => first.current?.focus(),
  );

  useEffect(() => {
    document.title = 'Log in - Monitoring inventory';
  }, []);
  useEffect(() => first.current?.focus(), [way]);

  return (
    <LoginCard
      title="Log in"
      form={form}
      notice={notice?.text}
      submit={{ text: 'Log in', busy: 'Logging in…' }}
      more={
        <p className="login-more">
          For programs, see the <a href={`${base}/swagger/`}>API browser</a>.
        </p>
      }
    >
      <LoginWays
        ways={ways}
        way={way}
        onChange={(next) => {
          setChosen(next);
          form.forget();
        }}
      />
      {way === 'password' && <PasswordFields first={first} isAdminDisabled={isAdminDisabled} />}
      {way === 'key' && <KeyField first={first} />}
      {method !== undefined && <ProviderFields method={method} />}
    </LoginCard>
  );
}
