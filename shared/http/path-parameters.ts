import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidRequest } from '../core/errors.ts';
import { notEncoded } from './not-encoded.ts';

/**
 * The parameters in the path of a request, decoded exactly once, with any contents: slashes, percent signs, any
 * letters.
 *
 * They are read from `path`, which a REST API passes on as it was sent (live captures: github.com/hotsock/voker,
 * vokerhttp/paths_test.go). Sources disagree whether it decodes `pathParameters`. Segments are counted from the end,
 * because a custom domain can add a prefix. An emulator may decode the path, and a slash in a name then splits a
 * segment; in that case `pathParameters` is used.
 *
 * @param template the path of the contract, with parameters in braces.
 * @throws ApiError `invalidArgument` for a parameter that is invalid UTF-8, or whose percent signs are not escaped.
 */
export function pathParametersOf(
  template: string,
  { path, pathParameters }: Pick<APIGatewayProxyEvent, 'path' | 'pathParameters'>,
): Record<string, string> {
  const wanted = segmentsOf(template);
  const given = path.split('/').slice(-wanted.length);
  const fits = wanted.every((segment, index) => isParameter(segment) || segment === given[index]);
  if (!fits) return definedIn(pathParameters ?? {});
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    if (!isParameter(segment)) continue;
    const name = segment.slice(1, -1);
    parameters[name] = decoded(name, given[index] ?? '');
  }
  return parameters;
}

/** By template: there are as many as endpoints. */
const segmentsByTemplate = new Map<string, readonly string[]>();

function segmentsOf(template: string): readonly string[] {
  const segments = segmentsByTemplate.get(template) ?? template.split('/').slice(1);
  segmentsByTemplate.set(template, segments);
  return segments;
}

const isParameter = (segment: string) => segment.startsWith('{');

/** A path as sent contains visible ASCII only. */
const AS_SENT = /^[\x21-\x7e]*$/;

function decoded(name: string, segment: string): string {
  if (!AS_SENT.test(segment)) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidRequest([notEncoded(name)]);
  }
}

function definedIn(parameters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
