import { useState } from 'react';
import type { Violation } from '../../shared/core/errors.ts';
import type { ApiFailure } from '../api/client.tsx';
import { failureOf } from './use-load.tsx';

/** Runs an action, usually a request, and keeps its failure until the next run. */
export function useAction(action: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const run = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return { busy, failure, submit: () => void run(), forget: () => setFailure(undefined) };
}

/** Focuses the first invalid field. Without one, scrolls to the failure, which a sticky header could cover. */
function focusFirstError(): void {
  // After React has rendered the errors.
  setTimeout(() => {
    const field = document.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field === null) document.querySelector('main .failure')?.scrollIntoView({ block: 'center' });
    else field.focus();
  });
}

interface Submission {
  /** The violations in the present content of the form. */
  check: () => readonly Violation[];
  send: () => Promise<void>;
  /** The field that a conflict (409) is about. */
  unique?: string;
}

/**
 * Sends a form: checks it first, and then shows the violations, also while the user corrects them.
 *
 * @returns `said`: the message about a field; `failure`: a failure that is about no field; `refusal`: any failure.
 */
export function useSubmit({ check, send, unique }: Submission) {
  const [tried, setTried] = useState(false);
  const { failure, submit, ...action } = useAction(async () => {
    try {
      await send();
    } catch (error) {
      focusFirstError();
      throw error;
    }
  });
  const conflict =
    unique !== undefined && failure?.status === 409
      ? [{ field: unique, reason: 'conflict', message: failure.message }]
      : [];
  const refused = [...(failure?.details ?? []), ...conflict];
  const ownViolations = tried ? check() : [];
  const violations = ownViolations.length > 0 ? ownViolations : refused;
  return {
    ...action,
    violations,
    said: (field: string) => violations.find((violation) => violation.field === field)?.message,
    failure: refused.length === 0 ? failure : undefined,
    refusal: failure,
    submit: () => {
      setTried(true);
      if (check().length === 0) submit();
      else focusFirstError();
    },
  };
}
