import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import type { ReplyOf } from '../api/client.tsx';
import { countsText, stateWords, worstFirst, worstOf } from '../model/health.ts';

export type Cluster = ReplyOf<typeof listClusters>['clusters'][number];

/** Lines end after a comma only: `1 never seen` stays together. */
const unbroken = (text: string) => text.replace(/(?<!,) /g, '\u00a0');

/** The numbers of services in each state. The look is that of the worst. */
export function ClusterHealth({ counts }: { counts: Cluster['services_by_state'] }) {
  const worst = worstOf(counts);
  if (worst === undefined) return <>-</>;
  return (
    <StatusIndicator type={stateWords[worst].look}>
      <span className="whole-words">{unbroken(countsText(counts))}</span>
    </StatusIndicator>
  );
}

const rankOf = ({ services_by_state: counts }: Cluster) => worstFirst.indexOf(worstOf(counts) ?? 'live');

/** The worst first; of equal ones by name, as the server lists them. */
export const byHealth = (left: Cluster, right: Cluster) => rankOf(left) - rankOf(right);

/** Whether the cluster fits the address: `state` is that of its worst service, `type` one of their types. */
export function fits(
  { services_by_state: counts, services_by_type: types }: Cluster,
  { state, type }: ClusterQuery,
): boolean {
  return (state === undefined || worstOf(counts) === state) && (type === undefined || Object.hasOwn(types, type));
}

export type ClusterQuery = Readonly<Record<string, string>>;
