import * as z from 'zod/mini';

/** A rule as data: the Terraform provider applies it without a server (tools/terraform-provider.ts). */
export type NewValueRule =
  | { rule: 'legible' }
  /** The text matches `form`, a pattern without lookarounds. */
  | { rule: 'form'; form: RegExp; message: string }
  /** The text is a host, and no special address of these kinds. */
  | { rule: 'host'; refused: readonly string[] };

/** Marks a check, with its rule. */
export interface MarkedCheck extends z.core.$ZodCheck<string> {
  newValueRule: NewValueRule;
}

export const isMarked = (check: object): check is MarkedCheck => 'newValueRule' in check;

/**
 * A rule that is newer than some stored values: these may stay as they are.
 *
 * @param faultOf the message for an invalid text; undefined for a valid one.
 */
export function newValueRule(rule: NewValueRule, faultOf: (text: string) => string | undefined): MarkedCheck {
  const check = z.check<string>(({ value, issues }) => {
    // At most one violation for each text: this rule applies only if the rules before it hold.
    const message = issues.length > 0 ? undefined : faultOf(value);
    if (message === undefined) return;
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format', isOfNewValues: true } });
  });
  return Object.assign(check, { newValueRule: rule });
}

/** Whether an issue is that of such a rule. */
export const isOfNewValues = (issue: z.core.$ZodRawIssue | z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.['isOfNewValues'] === true;
