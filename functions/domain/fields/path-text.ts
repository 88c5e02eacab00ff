import * as z from 'zod/mini';
import { ofNewValues, text } from '../../../shared/core/text.ts';

/** A path of a form that values must have which are newer than the rule. @param rule the form in words. */
export const pathText = (max: number, form: RegExp, rule: string) =>
  text({ max }).check(
    z.check(({ value, issues }) => {
      if (issues.length > 0 || form.test(value)) return;
      const params = { reason: 'invalid_format', ...ofNewValues };
      issues.push({ code: 'custom', input: value, message: rule, params });
    }),
  );
