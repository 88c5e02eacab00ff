import { useState } from 'react';
import type * as z from 'zod/mini';
import { type ApiFailure, parsedBy } from '../../api/client.tsx';
import { violationsOf } from './add-form.tsx';
import { failureOf } from '../../ui/use-load.tsx';

/**
 * Sends a form: first against its contract, then to the server.
 *
 * @param unique the field that a conflict (409) is about: what the server says of it is said of that field.
 * @returns `said`: what is wrong with a field; `failure`: what went wrong that is about no field.
 */
export function useSubmit(schema: z.core.$ZodType, body: unknown, send: () => Promise<void>, unique?: string) {
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const violations = () => violationsOf(() => parsedBy(schema, body));
  const found = tried ? violations() : [];
  const conflict = unique !== undefined && failure?.status === 409 ? [{ field: unique, message: failure.message }] : [];
  const refused = [...(failure?.details ?? []), ...conflict];
  const said = (field: string) => [...found, ...refused].find((violation) => violation.field === field)?.message;
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
    failure: refused.length === 0 ? failure : undefined,
    /** What the server said is about what was sent, and not about what is written now. */
    forget: () => setFailure(undefined),
  };
}
