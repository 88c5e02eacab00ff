import { apiKeyPrefix, brand, secretPattern } from './api-key-pattern.ts';

/** Matches text in the form of a key, an enrolment token or an invitation, valid or not. */
const KEYS = new RegExp(secretPattern, 'g');

/** The text with every key and token in it shortened to its displayable prefix. */
export function redact(text: string): string {
  // The pattern is slower, and most texts contain no key.
  if (!text.includes(brand)) return text;
  return text.replace(KEYS, (key) => `${apiKeyPrefix(key)}...`);
}
