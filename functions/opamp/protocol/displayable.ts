import * as z from 'zod/mini';
import { text } from '../../../shared/core/text.ts';

/** Control and format characters, unassigned ones, and separators of lines. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** A text of an agent as a field of the inventory may contain it; undefined for one without words or with a credential. */
export function displayable(value: string, max: number): string | undefined {
  // A slice first: the rest takes time in proportion to the length.
  const visible = value
    .slice(0, 4 * max)
    .toWellFormed()
    .replace(HIDDEN, ' ')
    .trim();
  const short = Array.from(visible).slice(0, max).join('').trim();
  return z.safeParse(text({ max }), short).data;
}
