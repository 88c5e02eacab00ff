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
  return (type.params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
}
