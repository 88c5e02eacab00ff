import type { SearchHit, SearchResult } from '../search-index/inventory-index.ts';
import { href } from '../ui/route.tsx';
import { labelOf } from '../ui/words.ts';

/** The kinds of results in the order in which they are shown. */
export const hitKinds = ['cluster', 'node', 'service', 'agent'] as const satisfies readonly SearchHit['kind'][];

export const kindTitles = { cluster: 'Clusters', node: 'Nodes', service: 'Services', agent: 'Agents' } as const;

const folders = { cluster: 'clusters', node: 'nodes', service: 'services', agent: 'agents' } as const;

/** The page of a result. */
export const hrefOf = ({ kind, id }: SearchHit): string => href([folders[kind], id]);

/** Agents have no names: the beginning of the id distinguishes those of one type. */
export const nameOf = ({ kind, name, id }: SearchHit): string =>
  kind === 'agent' ? `${name} ${id.slice(0, 8)}` : name;

/** Why the search has found it, if not by its name; of an agent also the node on which it runs. */
export function reasonOf({ match, place }: SearchHit): string {
  const on = place === undefined ? [] : [`on ${place}`];
  const by = match === undefined ? [] : [`${labelOf(match.field)}: ${match.value}`];
  return [...on, ...by].join(', ');
}

export const totalOf = (result: SearchResult): number =>
  hitKinds.map((kind) => result[kind].total).reduce((sum, total) => sum + total, 0);
