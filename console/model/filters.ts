import { wordsOfPattern } from '../../functions/domain/fields/list-query.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { canBeEmpty } from '../search-index/no-value.ts';
import { convert } from '../../shared/openapi/schemas.ts';
import type { TargetKind } from './target.ts';

/** One filter of a list, from its contract. */
export interface ListFilter {
  name: string;
  description: string;
  /** All possible values, if the contract lists them. */
  values: readonly string[];
  /** Whether the filter can select the objects without a value. */
  mayBeEmpty?: boolean;
  /** Whether the filter accepts several of these values, separated by commas. */
  isList: boolean;
  /** The kind of object that the server searches for suggestions. */
  target: TargetKind | undefined;
  /** The field whose values in the list are suggestions. */
  field: string | undefined;
  /** The kind of object that has this field. Default: the kind of the list. */
  fieldOf?: ObjectKind;
}

/** The parameters of pages and fields, which the console sets. */
const general = new Set(['page_size', 'page_token', 'include', 'fields', 'total']);

/** Filters whose values are not properties of the objects. */
const expressions = new Set(['name_prefix', 'selector', 'updated_since', 'status_for', 'agent_version']);

/** Values that are offered, although any other of their form is one. */
const offeredValues: Readonly<Record<string, readonly string[]>> = { status_for: ['10m', '1h', '6h', '1d', '7d'] };

function targetOf(endpoint: Endpoint, name: string): TargetKind | undefined {
  if (name === 'name_prefix') return endpoint.id === 'listServices' ? 'service' : 'node';
  if (name === 'pmm_agent_id') return 'pmm_agent';
  if (name === 'service_id') return 'service';
  return name.endsWith('node_id') ? 'node' : undefined;
}

const consoleFilter = (name: string, description: string, values: readonly string[] = []): ListFilter => ({
  ...{ name, description, values, isList: false, target: undefined, field: undefined },
});

const parts: readonly ListFilter[] = [
  consoleFilter('name_contains', 'Only objects whose name contains this text, in any letter case.'),
  consoleFilter('address_contains', 'Only objects whose address contains this text, in any letter case.'),
];

/** Filters that the console adds to those of the contract, as console-filters.ts names them. */
const consoleFilters: Readonly<Record<string, readonly ListFilter[]>> = {
  listNodes: parts,
  listServices: [...parts, consoleFilter('port', 'Only services with this port.')],
  listAgents: [
    consoleFilter('disabled', 'Only disabled agents, or only enabled ones.', ['false', 'true']),
    consoleFilter('port', 'Only agents that listen on this port.'),
  ],
};

/** The kinds that have the fields which other objects have through them. */
const fieldOwners: Readonly<Record<string, Readonly<Record<string, ObjectKind>>>> = {
  listNodes: { cluster: 'service' },
  listServices: { region: 'node', az: 'node' },
  listAgents: { region: 'node', az: 'node', cluster: 'service', environment: 'service' },
};

export function filtersOf(endpoint: Endpoint): ListFilter[] {
  const { roots } = convert({ query: endpoint.query }, 'parameters');
  const filters = Object.entries(roots['query']?.properties ?? {})
    .filter(([name]) => !general.has(name))
    .map(([name, { description = '', enum: enumeration = [], pattern, minLength = 0 }]) => {
      const words = wordsOfPattern(pattern);
      const values = [...enumeration.map(String), ...words, ...(offeredValues[name] ?? [])];
      const target = targetOf(endpoint, name);
      const isField = values.length === 0 && target === undefined && !expressions.has(name);
      const fieldOf = fieldOwners[endpoint.id]?.[name];
      const field = isField ? name : undefined;
      return {
        ...{ name, description, values, isList: words.length > 0, target, field },
        ...(fieldOf === undefined ? {} : { fieldOf }),
        ...(canBeEmpty(name) && minLength === 0 ? { mayBeEmpty: true } : {}),
      };
    });
  return [...filters, ...(consoleFilters[endpoint.id] ?? [])];
}

/**
 * The value of a filter with several words; undefined if the words exclude nothing.
 *
 * @param isNegated all other words: the API has no negation of states.
 */
export function wordsValue(
  { values }: Pick<ListFilter, 'values'>,
  words: readonly string[],
  isNegated: boolean,
): string | undefined {
  const chosen = values.filter((value) => words.includes(value) !== isNegated);
  // The server refuses unknown words.
  const unknown = isNegated ? [] : words.filter((word) => !values.includes(word));
  if (chosen.length === values.length) return undefined;
  return [...chosen, ...unknown].join(',') || undefined;
}
