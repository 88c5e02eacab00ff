import { apiKeyPattern, apiKeyPrefix } from './api-key-pattern.ts';

/** Anything that has the shape of a key, good or not, anywhere in a text. */
const KEYS = new RegExp(apiKeyPattern, 'g');

/** The text with every key in it cut down to the few characters that may be shown. */
export function redact(text: string): string {
  return text.replace(KEYS, (key) => `${apiKeyPrefix(key)}...`);
}
