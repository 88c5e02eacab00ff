import { isUtf8 } from 'node:buffer';
import { isApiKeySecret } from './api-key-text.ts';

/** What the Authorization header of a request presents; nothing of it has been looked up yet. */
export type Credential =
  | { kind: 'missing' }
  | { kind: 'invalid' }
  | { kind: 'key'; text: string }
  | { kind: 'password'; user: string; password: string };

/** User names of Basic that announce a key in the place of the password. No account can log in under them. */
export const keyUserNames: readonly string[] = ['api_key', 'service_token'];

/** What the user name of an account looks like. It holds neither the colon of Basic nor anything that needs escaping. */
export const accountNamePattern = /^[a-z][a-z0-9_.-]{0,63}$/;

/** In UTF-16 code units; a longer password cannot be presented. */
export const maxPasswordLength = 512;

// Ten times what a correct header with a key needs, and room for the longest password in ASCII.
const maxHeaderBytes = 1024;

// Visible ASCII only: a credential with a space or a line break in it, or anything after it, does not match.
const schemeAndCredential = /^([A-Za-z]+) +([!-~]+)$/;

const missing: Credential = { kind: 'missing' };
const invalid: Credential = { kind: 'invalid' };

/**
 * Reads a credential out of the Authorization header: `Bearer <key>`, or `Basic` (RFC 7617) with the user name `api_key`
 * or `service_token` and the key as password, or `Basic` with an account and its password.
 *
 * `values` are all the values of the header in the request, its name compared without regard to case. With two of them
 * there is no telling which one a proxy on the way has checked, so that more than one is invalid, even if they are equal.
 * A `key` has a right checksum; a `password` is not empty and its user is an account name. Never throws.
 */
export function parseAuthorization(values: readonly string[]): Credential {
  const [value = '', ...others] = values;
  if (others.length > 0 || Buffer.byteLength(value) > maxHeaderBytes) return invalid;
  if (/^[ \t]*$/.test(value)) return missing;

  const [, scheme = '', credential = ''] = schemeAndCredential.exec(value) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return parseKey(credential);
    case 'basic':
      return parseBasic(credential);
    default:
      return invalid;
  }
}

function parseKey(text: string): Credential {
  return isApiKeySecret(text) ? { kind: 'key', text } : invalid;
}

function parseBasic(credential: string): Credential {
  const decoded = decodeBase64Text(credential);
  // RFC 7617 section 2 forbids control characters; a user name cannot hold a colon, a password can.
  if (decoded === undefined || /\p{Cc}/u.test(decoded)) return invalid;
  const colon = decoded.indexOf(':');
  if (colon < 0) return invalid;
  const user = decoded.slice(0, colon);
  const password = decoded.slice(colon + 1);

  if (keyUserNames.includes(user)) return parseKey(password);
  if (!accountNamePattern.test(user) || password === '' || password.length > maxPasswordLength) return invalid;
  return { kind: 'password', user, password };
}

/** The text that is written in base64, or undefined if that is not the one canonical way to write a text in UTF-8. */
function decodeBase64Text(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // Buffer skips what is not base64, takes the URL-safe alphabet and ignores padding: two headers that look different
  // would be the same credential. Encoding again and comparing leaves exactly one spelling.
  if (bytes.toString('base64') !== base64 || !isUtf8(bytes)) return undefined;
  // Not TextDecoder, which drops a byte order mark unasked: here it stays, and no user name may begin with one.
  return bytes.toString('utf8');
}
