import * as z from 'zod/mini';
import { brand, secretPattern } from '../auth/api-key-pattern.ts';

/** C0, DEL, C1, line separators, and what reorders or hides text. The two joiners stay: emoji and Persian need them. */
const HIDDEN = String.raw`\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff`;

const CONTROL = new RegExp(`[${HIDDEN}]`, 'u');

/** A text without any of them, as a pattern for documents. */
export const VISIBLE_TEXT = `^[^${HIDDEN}]*$`;

/** A key or a token of ours, or user info with a password inside a URL: a credential would be stored by accident. */
const CREDENTIAL = new RegExp(`${secretPattern}|://[^/?#\\s]*:[^/?#\\s]*@`);

/** Length in characters as people count them (code points), so that no alphabet is put at a disadvantage. */
export function characters(text: string): number {
  return Array.from(text).length;
}

/** Most texts: printable ASCII, in which nothing can be hidden and a character is a byte. */
const PLAIN = /^[ -~]*$/;

/**
 * A piece of free text: well-formed Unicode, no control characters, `min`..`max` characters and, where it becomes part
 * of a key in the table, at most `maxBytes` bytes of UTF-8.
 */
export function text({ min = 1, max, maxBytes }: { min?: number; max: number; maxBytes?: number }) {
  const mostPlain = Math.min(max, maxBytes ?? max);
  const length = z.check<string>(({ value, issues }) => {
    // The common case first: replies are checked as well, and a page of a list has thousands of texts.
    const isOfLength = value.length >= min && value.length <= mostPlain;
    if (isOfLength && PLAIN.test(value) && !value.includes('://') && !value.includes(brand)) return;
    const count = characters(value);
    const refuse = (message: string) =>
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
    if (!value.isWellFormed()) refuse('Must be well-formed Unicode text.');
    else if (count < min) refuse(min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`);
    else if (count > max) refuse(`Must have at most ${max} characters.`);
    else if (maxBytes !== undefined && new TextEncoder().encode(value).length > maxBytes)
      refuse(`Must have at most ${maxBytes} bytes in UTF-8.`);
    // Only now: the time of this pattern grows with the square of the length.
    else if (CONTROL.test(value)) refuse('Must not contain control characters.');
    else if (CREDENTIAL.test(value)) refuse('Must not contain credentials: none are stored here.');
  });
  // Of texts that are keys, documents state all of it: their senders make them up.
  const key = maxBytes === undefined ? {} : { maxBytes, pattern: VISIBLE_TEXT };
  return z.string().check(length, z.meta({ minLength: min, maxLength: max, ...key }));
}

/**
 * What cannot be seen, and so makes two names look alike: code points that a display leaves out unless it knows better
 * (soft hyphens, joiners, fillers, variation selectors, tags), and those that are no characters.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** In an emoji such code points make another picture. All sequences that Unicode recommends, and nothing else. */
const EMOJI = /\p{RGI_Emoji}/gv;

const AROUND = /^\p{White_Space}|\p{White_Space}$/u;

/** For a name, by which people and programs tell objects apart: it must not look like another one. */
export function isLegible() {
  return z.check<string>(({ value, issues }) => {
    // One violation for each text: this rule is looked at when those before it hold.
    if (issues.length > 0) return;
    if (PLAIN.test(value) && !value.startsWith(' ') && !value.endsWith(' ')) return;
    const refuse = (message: string) =>
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
    if (AROUND.test(value)) refuse('Must not begin or end with white space.');
    else if (INVISIBLE.test(value.replaceAll(EMOJI, '')))
      refuse('Must not contain invisible characters, except those of an emoji.');
  });
}
