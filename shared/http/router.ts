import { type Endpoint, methodsOf } from './endpoint.ts';

export type Match =
  | { kind: 'endpoint'; endpoint: Endpoint; params: Record<string, string> }
  | { kind: 'otherMethod'; allow: readonly string[] }
  | { kind: 'unknown' };

const isParameter = (segment: string) => segment.startsWith('{');

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The decoded parameters of a path that matches the template. A parameter is a whole segment, and not empty. */
function fit(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = decoded(given[index] ?? '');
    if (value === undefined) return undefined;
    if (!isParameter(segment)) {
      if (segment !== given[index]) return undefined;
    } else if (value === '') return undefined;
    else params[segment.slice(1, -1)] = value;
  }
  return params;
}

/** Sorts templates with a literal segment before those with a parameter, as the gateway does. */
function literalFirst(left: Endpoint, right: Endpoint): number {
  const rank = ({ path }: Endpoint) =>
    path
      .split('/')
      .map((segment) => (isParameter(segment) ? '1' : '0'))
      .join('');
  return rank(left).localeCompare(rank(right));
}

/** The endpoint of a request. `path` is the raw path, without the query. */
export function route(endpoints: readonly Endpoint[], method: string, path: string): Match {
  const fitting = endpoints.toSorted(literalFirst).flatMap((endpoint) => {
    const params = fit(endpoint.path, path);
    return params === undefined ? [] : [{ endpoint, params }];
  });
  const [first] = fitting;
  if (first === undefined) return { kind: 'unknown' };
  // Only the most literal matching template applies: `/v1/services/types` is never a service with that id.
  const same = fitting.filter(({ endpoint }) => endpoint.path === first.endpoint.path);
  const match = same.find(({ endpoint }) => methodsOf(endpoint).includes(method));
  if (match !== undefined) return { kind: 'endpoint', ...match };
  return { kind: 'otherMethod', allow: same.flatMap(({ endpoint }) => methodsOf(endpoint)) };
}
