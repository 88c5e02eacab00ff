import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Route } from '../declarations/route.ts';

/** The paths of our lists, by the endpoint that a route names. */
const pagedLists: Readonly<Record<string, string>> = {
  listNodes: 'GET /v1/nodes',
  listServices: 'GET /v1/services',
  listAgents: 'GET /v1/agents',
};

/** PMM has no pages. A reply above the limit is an error that names the list with pages. */
export function tooLarge(route: Route | undefined): ApiError {
  const [list = ''] = route?.native ?? [];
  return new ApiError(
    'bodyTooLarge',
    `The reply exceeds 6 MB. Use ${pagedLists[list] ?? 'a filter'}, which has pages.`,
  );
}

/** Counts the bytes of objects, and refuses to collect more than a reply can contain. */
export function collector<T>(route: Route): { objects: T[]; add: (object: T, json: string) => void } {
  const objects: T[] = [];
  let bytes = 0;
  return {
    objects,
    add: (object, json) => {
      bytes += json.length;
      if (bytes > MAX_RESULT_BYTES) throw tooLarge(route);
      objects.push(object);
    },
  };
}
