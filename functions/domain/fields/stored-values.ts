import * as z from 'zod/mini';
import { invalidRequest, type Violation } from '../../../shared/core/errors.ts';
import { isOfNewValues } from '../../../shared/core/new-value-rule.ts';
import { valueAt, violations } from '../../../shared/core/violations.ts';

/**
 * The same schema for a body that may repeat the values of a stored object: values that only a newer rule refuses pass.
 * The caller applies these rules to the other values with `checkNewValues`.
 */
export function orStored<Inner extends z.core.SomeType>(schema: z.ZodMiniLazy<Inner>): z.ZodMiniLazy<Inner> {
  const lenient = z.lazy(() => schema._zod.innerType);
  const parse = (payload: z.core.ParsePayload, context: z.core.ParseContextInternal) => {
    const result = schema._zod.run({ value: payload.value, issues: [] }, context);
    if (result instanceof Promise) throw new Error('a schema that is not synchronous');
    payload.value = result.value;
    payload.issues.push(...result.issues.filter((issue) => !isOfNewValues(issue)));
    return payload;
  };
  lenient._zod.parse = parse;
  lenient._zod.run = parse;
  return lenient;
}

/**
 * The violations of rules for new values by the fields of an object.
 *
 * @param addition the schema of an add.
 * @param old the stored object; its values may stay as they are.
 */
export function newValueViolations(addition: z.core.$ZodType, next: object, old: object = {}): Violation[] {
  const { error } = z.safeParse(addition, next);
  const issues = error?.issues.filter(
    (issue) => isOfNewValues(issue) && valueAt(next, issue.path) !== valueAt(old, issue.path),
  );
  return violations(issues ?? [], next);
}

/** @throws ApiError `invalidArgument` with the violations of rules for new values. */
export function checkNewValues(addition: z.core.$ZodType, next: object, old?: object): void {
  const wrong = newValueViolations(addition, next, old);
  if (wrong.length > 0) throw invalidRequest(wrong);
}
