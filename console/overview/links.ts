import type { State } from '../../functions/domain/fields/liveness.ts';
import type * as z from 'zod/mini';
import type { AttentionReason, summarySchema } from '../../functions/domain/records/summary.ts';
import type { LiveShare } from '../model/clusters.ts';
import { href } from '../ui/address.ts';

export type Summary = z.output<typeof summarySchema>;
export type Attention = Summary['attention'][number];

/** The kinds with totals, as in the summary and in the address bar. */
export const countedKinds = ['nodes', 'services', 'agents', 'clusters'] as const;

export type CountedKind = (typeof countedKinds)[number];

export const kindTitles: Readonly<Record<CountedKind, string>> = {
  nodes: 'Nodes',
  services: 'Services',
  agents: 'Agents',
  clusters: 'Clusters',
};

const typeFields: Readonly<Record<CountedKind, string>> = {
  nodes: 'node_type',
  services: 'service_type',
  agents: 'agent_type',
  clusters: 'type',
};

export const allHref = (kind: CountedKind) => href([kind]);

export const stateHref = (kind: CountedKind, state: State) => href([kind], { state });

/** The clusters with a share of live services. */
export const liveMembersHref = (share: LiveShare) => href(['clusters'], { live_members: share });

export const typeHref = (kind: CountedKind, type: string) => href([kind], { [typeFields[kind]]: type });

interface NodeLocation {
  region: string;
  az?: string | undefined;
}

/** The nodes of a zone. Values in a selector need quotes. */
export function placeHref({ region, az }: NodeLocation, state?: State): string {
  const selector = az === undefined ? undefined : `az=${JSON.stringify(az)}`;
  return href(['nodes'], { region, selector, state });
}

/** Pages of the console, by the paths of the lists in the API, where they differ. */
const pages: Readonly<Record<string, string>> = {
  '/v1/api-keys': href(['configuration', 'api-keys'], { expires: 'soon' }),
  '/v1/enrolment-tokens': href(['configuration', 'enrolment-tokens']),
};

/** Findings about enabled agents. A disabled agent counts as `done`. */
const enabledOnly: ReadonlySet<AttentionReason> = new Set(['waiting', 'not_running']);

/**
 * The list of the objects of a finding; undefined where no list contains exactly these.
 *
 * @param place a further filter.
 */
export function listHref(
  { reason, list }: Pick<Attention, 'reason' | 'list'>,
  place: Readonly<Record<string, string>> = {},
): string | undefined {
  // The API has no such filter.
  if (reason === 'no_live_member') return liveMembersHref('none');
  if (list === undefined) return undefined;
  const page = pages[list];
  if (page !== undefined) return page;
  const { pathname, searchParams } = new URL(list, 'https://localhost');
  const segments = pathname.split('/').filter((segment) => segment !== '' && segment !== 'v1');
  // A filter of the console: the API has none.
  const enabled = enabledOnly.has(reason) ? { disabled: 'false' } : {};
  return href(segments, { ...Object.fromEntries(searchParams), ...enabled, ...place });
}

/** The page of one example of a finding. */
export function exampleHref(kind: Attention['kind'], id: string): string | undefined {
  switch (kind) {
    case 'node':
    case 'service':
    case 'agent':
      return href([`${kind}s`, id]);
    case 'cluster':
      return href(['clusters', id]);
    case 'reconciliation':
      return href(['reconcile'], { plan_id: id });
    case 'api_key':
    case 'enrolment_token':
    case 'cleanup':
      return undefined;
  }
}
