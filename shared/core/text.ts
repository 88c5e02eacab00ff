import * as z from 'zod/mini';
import { brand, secretPattern } from './api-key-pattern.ts';
import { lazily } from './lazily.ts';
import { newValueRule } from './new-value-rule.ts';

/**
 * C0, DEL, C1, line separators, and characters that reorder or hide text. The two joiners are permitted: emoji and
 * Persian need them.
 */
const HIDDEN = String.raw`\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff`;

const CONTROL = new RegExp(`[${HIDDEN}]`, 'u');

/** Pattern of a text without these characters, for documents. */
const VISIBLE_TEXT = `^[^${HIDDEN}]*$`;

/**
 * A key or token of this service, or a URL with a password in its user info: a credential that would be stored by
 * accident.
 */
const CREDENTIAL = new RegExp(`${secretPattern}|://[^/?#\\s]*:[^/?#\\s]*@`);

/** The length in code points, so that all scripts count the same. */
export function characters(text: string): number {
  return Array.from(text).length;
}

const codePoints = (text: string): string =>
  Array.from(
    text,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join(' ');

const characterAt = (text: string, index: number): string => `character ${characters(text.slice(0, index)) + 1}`;

/** The first character that a pattern matches, such as `U+00AD (character 4)`: it may be invisible. */
export function namedMatch(text: string, pattern: RegExp): string | undefined {
  const { index } = pattern.exec(text) ?? {};
  return index === undefined
    ? undefined
    : `${codePoints(String.fromCodePoint(text.codePointAt(index) ?? 0))} (${characterAt(text, index)})`;
}

/** Printable ASCII, as most texts are: it hides nothing, and a character is a byte. */
const PLAIN = /^[ -~]*$/;

/**
 * A field of free text: well-formed Unicode, no control characters, `min`..`max` characters and, where it becomes part
 * of a key of the table, at most `maxBytes` bytes of UTF-8.
 */
export function text({ min = 1, max, maxBytes }: { min?: number; max: number; maxBytes?: number }) {
  const mostPlain = Math.min(max, maxBytes ?? max);
  const length = z.check<string>(({ value, issues }) => {
    // The common case first: replies are validated as well, and a page of a list contains thousands of texts.
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
    // After the length check: the time of this pattern is quadratic in the length.
    else if (CONTROL.test(value)) refuse('Must not contain control characters.');
    else if (CREDENTIAL.test(value)) refuse('Must not contain credentials: none are stored here.');
  });
  // For texts that become keys the documents state the whole pattern, because clients generate them.
  const key = maxBytes === undefined ? {} : { maxBytes, pattern: VISIBLE_TEXT };
  return z.string().check(length, z.meta({ minLength: min, maxLength: max, ...key }));
}

// V8 takes longer for patterns with properties of Unicode than for loading the rest of a function, and most names are
// ASCII. It reads them also in a literal that is never used.

/**
 * Invisible code points, which make two names look alike: those that displays omit by default (soft hyphens, joiners,
 * fillers, variation selectors, tags), those of interlinear annotations, and noncharacters.
 */
export const invisible = lazily(
  () => new RegExp(String.raw`[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]`, 'u'),
);

/** In an emoji such code points change the picture. Matches exactly the sequences that Unicode recommends. */
const emoji = lazily(() => new RegExp(String.raw`\p{RGI_Emoji}`, 'gv'));

/** Blanks that look like U+0020; the last one is an empty Braille pattern. */
export const OTHER_BLANK = /[^\S ]|\u2800/u;

/** Characters that Unicode calls white space and this pattern does not, and the opposite, are in HIDDEN. */
export const WHITE_SPACE = /\s/u;

const AROUND = new RegExp(`^${WHITE_SPACE.source}|${WHITE_SPACE.source}$`, 'u');

/** The faults of names, each before the code point and its position. */
export const NAME_FAULTS = {
  around: 'Must not begin or end with white space',
  blank: 'Must not contain blanks other than the space (U+0020)',
  invisible: 'Must not contain invisible characters, except those of an emoji',
} as const;

/** The first part that another form of the same text replaces: both look the same. */
function notComposed(text: string): string | undefined {
  if (text === text.normalize()) return undefined;
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text);
  const grapheme = Array.from(graphemes).find(({ segment }) => segment !== segment.normalize());
  if (grapheme === undefined) return 'this text is not';
  const { segment, index } = grapheme;
  return `write ${codePoints(segment.normalize())} instead of ${codePoints(segment)} (${characterAt(text, index)})`;
}

function illegible(name: string): string | undefined {
  const around = namedMatch(name, AROUND);
  if (around !== undefined) return `${NAME_FAULTS.around}: ${around}.`;
  const blank = namedMatch(name, OTHER_BLANK);
  if (blank !== undefined) return `${NAME_FAULTS.blank}: ${blank}.`;
  const hidden = namedMatch(
    name.replaceAll(emoji(), (picture) => 'x'.repeat(characters(picture))),
    invisible(),
  );
  if (hidden !== undefined) return `${NAME_FAULTS.invisible}: ${hidden}.`;
  const decomposed = notComposed(name);
  return decomposed === undefined ? undefined : `Must be in Unicode normalisation form C (NFC): ${decomposed}.`;
}

/** For names, by which people and programs distinguish objects: a name must not look like another one. */
export const isLegible = () =>
  newValueRule({ rule: 'legible' }, (name) =>
    PLAIN.test(name) && !name.startsWith(' ') && !name.endsWith(' ') ? undefined : illegible(name),
  );
