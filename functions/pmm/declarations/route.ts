import type { Rank } from '../../../shared/auth/roles.ts';
import { decodedSegment, isParameter } from '../../../shared/http/router.ts';
import type { Generation } from './enums.ts';

/** `ANY`: whatever the method. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';

/** The functions that serve PMM's calls: `functions/api/pmm/<name>`. */
export type FacadeName = 'inventory' | 'management' | 'server' | 'health' | 'keys';

/** One call of PMM. */
export interface Route {
  generation: Generation;
  facade: FacadeName;
  method: Method;
  /**
   * With parameters in braces, each a whole segment; a last one with a plus sign is the rest of the path. An empty
   * parameter is the error of PMM for an empty id.
   */
  path: string;
  summary: string;
  /** What the call does: a name in the table of operations. */
  operation: string;
  /** The type of the object, if the path says it. */
  type?: string;
  /** Our endpoints that do the same. */
  native: readonly string[];
  role: Rank | 'none';
  /** The status of a success; default: 200. */
  status?: 201;
  /** Also open to a Registrar, for objects below its node. */
  isScoped?: true;
  /** What differs from PMM. */
  differs?: string;
}

/** The parameters of a path that matches; undefined when it does not match. */
function parametersOf(template: string, path: string): Record<string, string> | undefined {
  if (template.endsWith('+}')) return path.startsWith(template.slice(0, template.lastIndexOf('{'))) ? {} : undefined;
  const wanted = template.split('/');
  const found = path.split('/');
  if (wanted.length !== found.length) return undefined;
  const entries: [string, string][] = [];
  for (const [index, segment] of wanted.entries()) {
    const sent = found[index] ?? '';
    const value = decodedSegment(sent);
    if (value === undefined) return undefined;
    if (isParameter(segment)) entries.push([segment.slice(1, -1), value]);
    else if (segment !== sent && segment !== value) return undefined;
  }
  return Object.fromEntries(entries);
}

const parameterCount = ({ path }: Route) => path.split('/').filter(isParameter).length;

/** The route of a request, a path without parameters first. @param path as sent, without a query. */
export function routeOf(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  const sought = method === 'HEAD' ? 'GET' : method;
  const found = routes.flatMap((route) => {
    const params = route.method === sought || route.method === 'ANY' ? parametersOf(route.path, path) : undefined;
    return params === undefined ? [] : [{ route, params }];
  });
  return found.toSorted((left, right) => parameterCount(left.route) - parameterCount(right.route))[0];
}
