import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidRequest } from './errors.ts';
import { notEncoded } from './not-encoded.ts';

/**
 * The parameters in a request's path, decoded exactly once, whatever they hold: slashes, percent signs, any letters.
 *
 * They are read from the path, which a REST API hands on as it was sent (live captures: github.com/hotsock/voker,
 * vokerhttp/paths_test.go); whether it decodes `pathParameters` is told in both ways. Segments are counted from the end,
 * since a domain of one's own can put a prefix before them. An emulator may decode the path: then a slash in a name tears
 * it apart, and what it took for the parameters is all there is.
 *
 * @param template the path of the contract, with parameters in braces.
 * @throws ApiError `invalidArgument` for a parameter that is no UTF-8, or whose percent signs are not escaped.
 */
export function pathParametersOf(
  template: string,
  { path, pathParameters }: Pick<APIGatewayProxyEvent, 'path' | 'pathParameters'>,
): Record<string, string> {
  const wanted = template.split('/').slice(1);
  const given = path.split('/').slice(-wanted.length);
  const fits = wanted.every((segment, index) => isParameter(segment) || segment === given[index]);
  if (!fits) return definedIn(pathParameters ?? {});
  return Object.fromEntries(
    wanted.flatMap((segment, index) => {
      if (!isParameter(segment)) return [];
      const name = segment.slice(1, -1);
      return [[name, decoded(name, given[index] ?? '')] as const];
    }),
  );
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Visible ASCII is all that a path on the wire has. */
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
