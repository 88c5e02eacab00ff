import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The parameters in a request's path, decoded exactly once, whatever they hold: slashes, percent signs, any letters.
 *
 * They are read from the path, which a REST API hands on as it was sent (live captures: github.com/hotsock/voker,
 * vokerhttp/paths_test.go); whether it decodes `pathParameters` is told in both ways. Segments are counted from the end,
 * since a domain of one's own can put a prefix before them. An emulator that decodes the path, so that a slash in a name
 * tears it apart, leaves nothing better than what it took for the parameters.
 *
 * @param template the path of the contract, with parameters in braces.
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
    wanted.flatMap((segment, index) =>
      isParameter(segment) ? [[segment.slice(1, -1), decoded(given[index] ?? '')] as const] : [],
    ),
  );
}

const isParameter = (segment: string) => segment.startsWith('{');

/** A percent sign that begins no escape comes of a path that was decoded before. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function definedIn(parameters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
