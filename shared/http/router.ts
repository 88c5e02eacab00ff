import { type HttpContract, methodsOf, methodsOfFacade, type PathSet } from './http-contract.ts';

/** The part of a contract that the router needs. */
export type Route = Pick<HttpContract, 'method' | 'path'>;

export type Match<R extends Route> =
  | { kind: 'endpoint'; endpoint: R; params: Record<string, string> }
  | { kind: 'otherMethod'; allow: readonly string[] }
  | { kind: 'unknown' };

/** Whether a segment of a path template is a parameter. */
export const isParameter = (segment: string) => segment.startsWith('{');

/** The text of a percent-encoded segment of a path; undefined when the encoding is invalid. */
export function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * The decoded parameters of a path that matches the template, both in segments. A parameter is a whole segment, and not
 * empty.
 */
function fit(wanted: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const givenSegment = given[index] ?? '';
    if (!isParameter(segment)) {
      if (segment !== givenSegment) return undefined;
      continue;
    }
    const value = decodedSegment(givenSegment);
    if (value === undefined || value === '') return undefined;
    params[segment.slice(1, -1)] = value;
  }
  return params;
}

/** The rank of a template: those with a literal segment come before those with a parameter, as in the gateway. */
const rankOf = (segments: readonly string[]) => segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');

/** Finds the endpoint of a request. `path` is the raw path, without the query. */
export type Router<R extends Route> = (method: string, path: string) => Match<R>;

export function createRouter<R extends Route>(routes: readonly R[]): Router<R> {
  const literalFirst = routes
    .map((endpoint) => ({ endpoint, segments: endpoint.path.split('/') }))
    .map((route) => ({ ...route, rank: rankOf(route.segments) }))
    .sort((left, right) => Number(left.rank > right.rank) - Number(left.rank < right.rank));
  const bySize = Map.groupBy(literalFirst, ({ segments }) => segments.length);
  return (method, path) => {
    const given = path.split('/');
    const fitting = (bySize.get(given.length) ?? []).flatMap(({ endpoint, segments }) => {
      const params = fit(segments, given);
      return params === undefined ? [] : [{ endpoint, params }];
    });
    const [first] = fitting;
    if (first === undefined) return { kind: 'unknown' };
    // Only the most literal matching template applies: `/v1/services/types` is never a service with that id.
    const same = fitting.filter(({ endpoint }) => endpoint.path === first.endpoint.path);
    const match = same.find(({ endpoint }) => methodsOf(endpoint).includes(method));
    if (match !== undefined) return { kind: 'endpoint', ...match };
    return { kind: 'otherMethod', allow: same.flatMap(({ endpoint }) => methodsOf(endpoint)) };
  };
}

const REST = /\{[^}]+\+\}$/;

/**
 * The facade of a path: one that names it, or else one with the beginning of it. Undefined also if it does not have the
 * method.
 */
export function facadeOf<Facade extends PathSet>(
  facades: readonly Facade[],
  path: string,
  method?: string,
): { facade: Facade; template: string } | undefined {
  const fits = (template: string) => {
    const start = template.replace(REST, '');
    return start === template ? path === template : path.startsWith(start) && path.length > start.length;
  };
  const fitting = facades.flatMap((facade) => facade.paths.filter(fits).map((template) => ({ facade, template })));
  const best = fitting.find(({ template }) => template === path) ?? fitting[0];
  if (best === undefined || method === undefined) return best;
  return methodsOfFacade(best.facade)?.includes(method) === false ? undefined : best;
}
