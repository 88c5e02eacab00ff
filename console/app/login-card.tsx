import { base } from '../api/base.tsx';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ApiFailure } from '../api/client.tsx';
import { Notice } from './notice.tsx';

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function explain(error: unknown): string {
  if (!(error instanceof ApiFailure)) throw error;
  const reason = error.details[0]?.message ?? error.message;
  return error.requestId === undefined || error.status === 401 || error.details.length > 0
    ? reason
    : `${reason} (Request ${error.requestId})`;
}

/** Sends the form of a log-in, and keeps its failure. @param failed called after each failure. */
export function useLogIn(send: (form: FormData) => Promise<void>, failed: () => void) {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    try {
      await send(form);
    } catch (error) {
      setFailure(explain(error));
      setBusy(false);
      failed();
    }
  };
  return { busy, failure, forget: () => setFailure(undefined), submit };
}

interface Props {
  title: string;
  form: ReturnType<typeof useLogIn>;
  /** Shown until a failure replaces it. */
  notice?: string | undefined;
  /** The text of the button, and while the form is being sent. */
  submit: { text: string; busy: string };
  more?: ReactNode;
  children: ReactNode;
}

/** The form of a page before the log-in. */
export function LoginCard({ title, form, notice, submit, more, children }: Props) {
  const { busy, failure } = form;
  return (
    <main className="login">
      <form className="login-card" onSubmit={(event) => void form.submit(event)} aria-labelledby="login-title">
        <p className="login-brand">
          <img src={`${base}/favicon.svg`} alt="" width="28" height="28" />
          Monitoring inventory
        </p>
        <h1 id="login-title">{title}</h1>
        {failure === undefined && notice !== undefined && <Notice type="info">{notice}</Notice>}
        {failure !== undefined && <Notice type="error">{failure}</Notice>}
        {children}
        <button type="submit" className="login-button" disabled={busy}>
          {busy ? submit.busy : submit.text}
        </button>
        {more}
      </form>
    </main>
  );
}
