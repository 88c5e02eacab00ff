import type { ObjectKind } from '../table/keys.ts';
import type { Collection } from './merge-references.ts';
import type { Plan } from './plan.ts';

function explainAccess<Kind extends ObjectKind>({ access, kind, prefix }: Plan<Kind>): string {
  const sources = (all: readonly Collection[][]) => all.map((source) => source.length).join(' x ');
  switch (access.by) {
    case 'id':
      return `${access.ids.length} ids`;
    case 'reference':
      return `references of ${sources(access.sources)} collections`;
    case 'state':
      return kind === 'node'
        ? 'all heartbeats'
        : `all heartbeats, references of ${sources(access.sources)} collections`;
    case 'index':
      return access.type === undefined || kind === 'agent'
        ? `by_name${prefix === '' ? '' : ' with a prefix'}`
        : `by_type${prefix === '' ? '' : ' with a prefix'}`;
    default:
      return access.by === 'heartbeats' ? 'walk of the heartbeats' : 'nothing';
  }
}

/** The plan in one line, without any value of the request: it is logged. */
export function explain<Kind extends ObjectKind>(plan: Plan<Kind>): string {
  const { kind, conditions, through, reported, showsStates } = plan;
  const joins = [...through.map(({ label }) => label), ...(reported.length > 0 || showsStates ? ['heartbeats'] : [])];
  const filters = [...conditions, ...reported].map(({ name }) => name);
  return [
    `${kind}s: ${explainAccess(plan)}`,
    ...(joins.length === 0 ? [] : [`join ${joins.join(', ')}`]),
    ...(filters.length === 0 ? [] : [`filter ${filters.join(', ')}`]),
  ].join('; ');
}
