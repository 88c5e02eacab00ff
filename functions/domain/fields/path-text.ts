import { newValueRule } from '../../../shared/core/new-value-rule.ts';
import { text } from '../../../shared/core/text.ts';

/** A path of a form that values must have which are newer than the rule. @param message the form in words. */
export const pathText = (max: number, form: RegExp, message: string) =>
  text({ max }).check(newValueRule({ rule: 'form', form, message }, (path) => (form.test(path) ? undefined : message)));
