import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { ServedRoute } from '../declarations/route.ts';

/** Our lists with pages, by the end of the name of an operation. */
const pagedLists = {
  Nodes: 'GET /v1/nodes',
  Services: 'GET /v1/services',
  Agents: 'GET /v1/agents',
  AgentVersions: 'GET /v1/agents',
};

/** PMM has no pages. A reply above the limit is an error that names the list with pages. */
export function tooLarge({ operation = '' }: Partial<ServedRoute> = {}): ApiError {
  const [, list] = Object.entries(pagedLists).find(([ending]) => operation.endsWith(ending)) ?? [];
  const remedy = list === undefined ? 'Use a filter.' : `Use ${list}, which has pages.`;
  return new ApiError('bodyTooLarge', `The reply exceeds 6 MB. ${remedy}`);
}

/** Counts the bytes of objects, and refuses to collect more than a reply can contain. */
export function collector<T>(route: ServedRoute): { objects: T[]; add: (object: T, json: string) => void } {
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
