import type { Rank } from '../../../shared/auth/roles.ts';
import { decodedSegment, isParameter } from '../../../shared/http/router.ts';
import type { LimitRule } from '../../contract/endpoint.ts';
import type { Generation } from './enums.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'ANY'] as const;

/** `ANY`: whatever the method. */
export type Method = (typeof methods)[number];

/** The functions that serve PMM's calls: `functions/api/pmm/<name>`. */
export type FacadeName = 'inventory' | 'management' | 'server' | 'health' | 'keys';

/** The fields that a function needs to serve a call: the bundles contain no others. */
export interface ServedRoute {
  generation: Generation;
  method: Method;
  /**
   * With parameters in braces, each a whole segment; a last one with a plus sign is the rest of the path. An empty
   * parameter is the error of PMM for an empty id.
   */
  path: string;
  /** The name of the call in the table of operations. */
  operation: string;
  /** The type of the object, if the path says it. */
  type?: string;
  role: Rank | 'none';
  /** Default: `unaffected`. */
  limit?: LimitRule;
  /** The status of a success; default: 200. */
  status?: 201;
  /** Also open to a Registrar, for objects below its node. */
  isScoped?: true;
}

/** One call of PMM. */
export interface Route extends ServedRoute {
  facade: FacadeName;
  limit: LimitRule;
  summary: string;
  /** Differences from PMM. */
  differs?: string;
}

/** The least role of a call, the effect of owners on it, and whether a Registrar may make it for objects below its node. */
export const access = {
  open: { role: 'none', limit: 'unaffected' },
  reads: { role: 'Viewer', limit: 'unaffected' },
  readsOwn: { role: 'Viewer', limit: 'unaffected', isScoped: true },
  writes: { role: 'Editor', limit: 'checked' },
  writesOwn: { role: 'Editor', limit: 'checked', isScoped: true },
  administers: { role: 'Admin', limit: 'refused' },
} as const;

/** A call in the generations that have it: method and path of each, below the path of its facade. */
export interface CallDeclaration
  extends
    Omit<Route, 'generation' | 'facade' | 'method' | 'path' | 'differs'>,
    Partial<Record<Generation, `${Method} ${string}`>> {
  /** Differences from PMM, in both generations or in each. */
  differs?: string | Partial<Record<Generation, string>>;
}

export const call = (
  operation: string,
  summary: string,
  allowed: (typeof access)[keyof typeof access],
  more: Omit<CallDeclaration, 'operation' | 'summary' | 'role' | 'limit' | 'isScoped'>,
): CallDeclaration => ({ operation, summary, ...allowed, ...more });

/** The routes of both generations. @param prefix the beginning of all paths. */
export function routesOf(facade: FacadeName, prefix: string, calls: readonly CallDeclaration[]): Route[] {
  const ofGeneration = (generation: Generation) => (declaration: CallDeclaration) => {
    const { 2: _, 3: __, differs: all, ...rest } = declaration;
    const place = declaration[generation];
    const method = methods.find((candidate) => place?.startsWith(`${candidate} `));
    if (place === undefined || method === undefined) return [];
    const differs = typeof all === 'string' ? all : all?.[generation];
    const path = prefix + place.slice(method.length + 1);
    return [{ ...rest, generation, facade, method, path, ...(differs === undefined ? {} : { differs }) }];
  };
  return [...calls.flatMap(ofGeneration(3)), ...calls.flatMap(ofGeneration(2))];
}

/** The parameters of a path that matches; undefined when it does not match. */
function parametersOf(template: string, path: string): Record<string, string> | undefined {
  if (template.endsWith('+}')) return path.startsWith(template.slice(0, template.lastIndexOf('{'))) ? {} : undefined;
  const wanted = template.split('/');
  const segments = path.split('/');
  if (wanted.length !== segments.length) return undefined;
  const entries: [string, string][] = [];
  for (const [index, segment] of wanted.entries()) {
    const sent = segments[index] ?? '';
    const value = decodedSegment(sent);
    if (value === undefined) return undefined;
    if (isParameter(segment)) entries.push([segment.slice(1, -1), value]);
    else if (segment !== sent && segment !== value) return undefined;
  }
  return Object.fromEntries(entries);
}

const parameterCount = ({ path }: ServedRoute) => path.split('/').filter(isParameter).length;

/** The route of a request, a path without parameters first. @param path as sent, without a query. */
export function routeOf(
  routes: readonly ServedRoute[],
  method: string,
  path: string,
): { route: ServedRoute; params: Record<string, string> } | undefined {
  const sought = method === 'HEAD' ? 'GET' : method;
  const matches = routes.flatMap((route) => {
    const params = route.method === sought || route.method === 'ANY' ? parametersOf(route.path, path) : undefined;
    return params === undefined ? [] : [{ route, params }];
  });
  return matches.toSorted((left, right) => parameterCount(left.route) - parameterCount(right.route))[0];
}
