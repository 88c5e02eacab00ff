import { apiKeyPrefix, secretPattern } from './api-key-pattern.ts';

/** Anything that has the shape of a key or an enrolment token, good or not, anywhere in a text. */
const KEYS = new RegExp(secretPattern, 'g');

/** The text with every key and token in it cut down to the few characters that may be shown. */
export function redact(text: string): string {
  return text.replace(KEYS, (key) => `${apiKeyPrefix(key)}...`);
}
