import { MIMEType } from 'node:util';

/** The headers that describe a body. */
export interface ContentHeaders {
  contentType: string | undefined;
  contentEncoding: string | undefined;
}

/** Undefined for an invalid media type. */
function parsed(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

/** Whether a header Content-Encoding declares a body as compressed. */
export const isCompressed = (contentEncoding: string | undefined): boolean =>
  !['', 'identity'].includes((contentEncoding ?? '').trim().toLowerCase());

/** The name of the charset, and its label of the WHATWG without the hyphen, which many programs send. */
const UTF_8 = /^utf-?8$/i;

/**
 * Whether a body is declared as one of these media types, in UTF-8 and not compressed. Ignores case, white space around
 * the semicolon and parameters other than `charset`.
 */
export function isDeclaredAs(types: readonly string[], { contentType, contentEncoding }: ContentHeaders): boolean {
  // The common case first.
  if (contentEncoding === undefined && contentType !== undefined && types.includes(contentType)) return true;
  const type = parsed(contentType ?? '');
  if (type === undefined || !types.includes(type.essence)) return false;
  if (isCompressed(contentEncoding)) return false;
  return UTF_8.test(type.params.get('charset') ?? 'utf-8');
}
