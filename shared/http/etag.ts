import { createHash } from 'node:crypto';
import { REVISION_DIGITS } from '../core/revision.ts';

/** The revisions in a precondition header; `*` matches any. */
export type Revisions = '*' | readonly number[];

export function etag(revision: number): string {
  return `"${revision}"`;
}

/** The digest of a text that is its ETag: 43 characters. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * The ETag of a reply without a revision: a digest of its text. Weak, because it is the same for the compressed text.
 */
export function digestTag(text: string): string {
  return `W/"${digestOf(text)}"`;
}

/** Whether If-None-Match contains this tag, by weak comparison. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (value: string) => value.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}

const TAG = '(W/)?"[!#-~]*"';

/** Pattern of If-Match and If-None-Match (RFC 9110, section 13.1): `*` alone, or a list of entity tags. */
export const ENTITY_TAGS = `^(\\*|${TAG}([ \\t]*,[ \\t]*${TAG})*)$`;

const entityTags = new RegExp(ENTITY_TAGS);

export function isEntityTags(header: string): boolean {
  return entityTags.test(header.trim());
}

const ENTITY_TAG = new RegExp(`^(W/)?"([0-9]{1,${REVISION_DIGITS}})"$`);

/**
 * Parses If-Match (strong comparison: weak tags never match) or If-None-Match (weak comparison), RFC 9110 section 13.1.
 * Omits tags that are not revisions, because they cannot match. An empty result matches nothing.
 */
export function parseRevisions(header: string | undefined, comparison: 'strong' | 'weak'): Revisions | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  return header.split(',').flatMap((tag) => {
    const [, weak, revision] = ENTITY_TAG.exec(tag.trim()) ?? [];
    return revision === undefined || (weak !== undefined && comparison === 'strong') ? [] : [Number(revision)];
  });
}

export function matches(revisions: Revisions, revision: number): boolean {
  return revisions === '*' || revisions.includes(revision);
}
