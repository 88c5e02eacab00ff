import type { Endpoint } from '../../shared/http/endpoint.ts';
import { convert } from '../../shared/openapi/schemas.ts';
import type { Target } from './target.ts';

/** One filter of a list, from its contract. */
export interface ListFilter {
  name: string;
  description: string;
  /** All that it can be, where the contract says so. */
  values: readonly string[];
  /** What the server can look for to suggest a value. */
  target: Target | undefined;
}

/** The parameters that are about no property of the objects: which page, how much of each object, and whole selectors. */
const general = new Set(['page_size', 'page_token', 'selector', 'updated_since', 'fields']);

function targetOf(endpoint: Endpoint, name: string): Target | undefined {
  if (name === 'name_prefix') return endpoint.id === 'listServices' ? 'service' : 'node';
  if (name === 'pmm_agent_id') return 'pmm_agent';
  if (name === 'service_id') return 'service';
  return name.endsWith('node_id') ? 'node' : undefined;
}

export function filtersOf(endpoint: Endpoint): ListFilter[] {
  const { roots } = convert({ query: endpoint.query }, 'parameters');
  return Object.entries(roots['query']?.properties ?? {})
    .filter(([name]) => !general.has(name))
    .map(([name, { description = '', enum: values = [] }]) => ({
      name,
      description,
      values: values.map(String),
      target: targetOf(endpoint, name),
    }));
}
