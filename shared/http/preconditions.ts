import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpContract } from './http-contract.ts';
import type { Violation } from '../core/errors.ts';
import { isEntityTags, parseRevisions, type Revisions } from './etag.ts';
import { headerValues } from './header-values.ts';

export interface Preconditions {
  /** The revisions in If-Match; undefined without the header. */
  ifMatch: Revisions | undefined;
  /** The revisions in If-None-Match; undefined without the header. */
  ifNoneMatch: Revisions | undefined;
}

/** The value of a header that must be unique, and its violations. */
function valueOf(event: APIGatewayProxyEvent, field: string): { value: string | undefined; wrong: Violation[] } {
  const [value, ...more] = headerValues(event, field);
  if (more.length > 0) return { value, wrong: [{ field, reason: 'duplicate', message: 'Given more than once.' }] };
  if (value === undefined || isEntityTags(value)) return { value, wrong: [] };
  const message = 'Must be * or entity tags in double quotes, such as "3" or "3", "4".';
  return { value, wrong: [{ field, reason: 'invalid_format', message }] };
}

/**
 * The preconditions of a request to an endpoint that supports them, and their violations. An invalid precondition must
 * not be ignored: the request would do what its sender wanted to prevent.
 */
export function preconditionsIn(
  { etag }: HttpContract,
  event: APIGatewayProxyEvent,
): Preconditions & { wrong: Violation[] } {
  if (etag === undefined) return { ifMatch: undefined, ifNoneMatch: undefined, wrong: [] };
  const ifNoneMatch = valueOf(event, 'If-None-Match');
  if (etag === 'digest') return { ifMatch: undefined, ifNoneMatch: undefined, wrong: ifNoneMatch.wrong };
  const ifMatch = valueOf(event, 'If-Match');
  return {
    ifMatch: parseRevisions(ifMatch.value, 'strong'),
    ifNoneMatch: parseRevisions(ifNoneMatch.value, 'weak'),
    wrong: [...ifMatch.wrong, ...ifNoneMatch.wrong],
  };
}
