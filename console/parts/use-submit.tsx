import { useState } from 'react';
import type * as z from 'zod/mini';
import { type ApiFailure, parsedBy } from '../api.tsx';
import { violationsOf } from './add-form.tsx';
import { failureOf } from './use-load.tsx';

/**
 * Sends a form: first against its contract, then to the server.
 *
 * @returns `said`: what is wrong with a field; `failure`: what went wrong that is about no field.
 */
export function useSubmit(schema: z.core.$ZodType, body: unknown, send: () => Promise<void>) {
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const violations = () => violationsOf(() => parsedBy(schema, body));
  const found = tried ? violations() : [];
  const said = (field: string) =>
    [...found, ...(failure?.details ?? [])].find((violation) => violation.field === field)?.message;
  const submit = async () => {
    setTried(true);
    if (violations().length > 0) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await send();
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };
  return {
    busy,
    said,
    submit: () => void submit(),
    failure: failure !== undefined && failure.details.length === 0 ? failure : undefined,
  };
}
