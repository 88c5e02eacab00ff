import { TextField } from '../ui/text-field.tsx';
import type { FieldOf } from '../ui/use-request-form.tsx';

/**
 * The limit as a field of a request; no field for an empty text. Text that is not a number stays text, which the
 * contract refuses.
 */
export function rateField<Name extends string>(name: Name, text: string): { [name in Name]?: number };
export function rateField(name: string, text: string): Record<string, unknown> {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  return { [name]: /^[0-9]{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed };
}

export const RateField = (field: FieldOf<string>) => (
  <TextField
    label="Requests per minute"
    description="Further requests get 429. Empty: no limit of its own."
    inputMode="numeric"
    {...field}
  />
);
