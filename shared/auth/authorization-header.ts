import { isUtf8 } from 'node:buffer';
import { accountNamePattern, maxPasswordLength } from './account-name.ts';
import { isApiKeySecret, isEnrolmentTokenSecret } from './api-key-text.ts';

/** The credential in the Authorization header of a request, before it is verified. */
export type Credential =
  | { kind: 'missing' }
  | { kind: 'invalid' }
  | { kind: 'token' }
  | { kind: 'key'; text: string }
  | { kind: 'password'; user: string; password: string };

/** User names of Basic whose password is a key. No account can have one of them. */
export const keyUserNames: readonly string[] = ['api_key', 'service_token'];

// Ten times what a correct header with a key needs, and room for the longest password in ASCII.
const maxHeaderBytes = 1024;

// Visible ASCII only: a credential that contains or is followed by a space or a line break does not match.
const schemeAndCredential = /^([A-Za-z]+) +([!-~]+)$/;

const missing: Credential = { kind: 'missing' };
const invalid: Credential = { kind: 'invalid' };

/** The form of an enrolment token in place of a key: a mistake that the caller can mend. Whether it exists is not read. */
const token: Credential = { kind: 'token' };

/**
 * Parses the credential in the Authorization header: `Bearer <key>`, or `Basic` (RFC 7617) with the user name `api_key`
 * or `service_token` and the key as password, or `Basic` with an account and its password.
 *
 * `values` are all values of the header in the request, whose name is compared case-insensitively. More than one value
 * is invalid, even if they are equal, because a proxy may have checked another one. A `key` has a valid checksum; a
 * `password` is not empty and its user is an account name. Never throws.
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
  if (isApiKeySecret(text)) return { kind: 'key', text };
  return isEnrolmentTokenSecret(text) ? token : invalid;
}

function parseBasic(credential: string): Credential {
  const decoded = decodeBase64Text(credential);
  // RFC 7617 section 2 forbids control characters. A user name cannot contain a colon; a password can.
  if (decoded === undefined || /\p{Cc}/u.test(decoded)) return invalid;
  const colon = decoded.indexOf(':');
  if (colon < 0) return invalid;
  const user = decoded.slice(0, colon);
  const password = decoded.slice(colon + 1);

  if (keyUserNames.includes(user)) return parseKey(password);
  if (!accountNamePattern.test(user) || password === '' || password.length > maxPasswordLength) return invalid;
  return { kind: 'password', user, password };
}

/** Decodes base64 to UTF-8; undefined unless the input is the canonical encoding of valid UTF-8. */
function decodeBase64Text(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // Buffer skips characters outside base64, accepts the URL-safe alphabet and ignores padding, so different headers
  // could be the same credential. Encoding again and comparing accepts exactly one spelling.
  if (bytes.toString('base64') !== base64 || !isUtf8(bytes)) return undefined;
  // Not TextDecoder, which drops a byte order mark: here it is kept, and makes the user name invalid.
  return bytes.toString('utf8');
}
