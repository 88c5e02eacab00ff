import { wordsOfPattern } from '../../functions/domain/fields/list-query.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { convert } from '../../shared/openapi/schemas.ts';
import type { Target } from './target.ts';

/** One filter of a list, from its contract. */
export interface ListFilter {
  name: string;
  description: string;
  /** All that it can be, where the contract says so. */
  values: readonly string[];
  /** Whether it takes several of these values, separated by commas. */
  isList: boolean;
  /** What the server can look for to suggest a value. */
  target: Target | undefined;
  /** The field whose values can be read from the list to suggest one. */
  field: string | undefined;
  /** The objects that have this field. Default: those of the list. */
  fieldOf?: ObjectKind;
}

/** The parameters that say which page, and how much of each object: the console decides on these. */
const general = new Set(['page_size', 'page_token', 'include', 'fields']);

/** Filters whose values are no property of the objects. */
const expressions = new Set(['name_prefix', 'selector', 'updated_since']);

function targetOf(endpoint: Endpoint, name: string): Target | undefined {
  if (name === 'name_prefix') return endpoint.id === 'listServices' ? 'service' : 'node';
  if (name === 'pmm_agent_id') return 'pmm_agent';
  if (name === 'service_id') return 'service';
  return name.endsWith('node_id') ? 'node' : undefined;
}

/** Filters that the console adds to those of the contract, as console-filters.ts names them. */
const consoleFilters: Readonly<Record<string, readonly ListFilter[]>> = {
  listAgents: [
    {
      name: 'cluster',
      description: 'Only agents that give insight into a service of this cluster.',
      values: [],
      isList: false,
      target: undefined,
      field: 'cluster',
      fieldOf: 'service',
    },
    {
      name: 'disabled',
      description: 'Only disabled agents, or only enabled ones.',
      values: ['false', 'true'],
      isList: false,
      target: undefined,
      field: undefined,
    },
  ],
};

export function filtersOf(endpoint: Endpoint): ListFilter[] {
  const { roots } = convert({ query: endpoint.query }, 'parameters');
  const filters = Object.entries(roots['query']?.properties ?? {})
    .filter(([name]) => !general.has(name))
    .map(([name, { description = '', enum: one = [], pattern }]) => {
      const words = wordsOfPattern(pattern);
      const values = [...one.map(String), ...words];
      const target = targetOf(endpoint, name);
      const isField = values.length === 0 && target === undefined && !expressions.has(name);
      return { name, description, values, isList: words.length > 0, target, field: isField ? name : undefined };
    });
  return [...filters, ...(consoleFilters[endpoint.id] ?? [])];
}

/**
 * The value of a filter that takes several words; undefined where the words leave nothing out.
 *
 * @param isNegated all but these words: the API has no negation of states.
 */
export function wordsValue(
  { values }: Pick<ListFilter, 'values'>,
  words: readonly string[],
  isNegated: boolean,
): string | undefined {
  const chosen = values.filter((value) => words.includes(value) !== isNegated);
  // A word that does not exist is for the server to refuse.
  const unknown = isNegated ? [] : words.filter((word) => !values.includes(word));
  if (chosen.length === values.length) return undefined;
  return [...chosen, ...unknown].join(',') || undefined;
}
