import { useQuery } from '@tanstack/react-query';
import { endpoint as getReconciliation } from '../../functions/api/reconciliations/get/endpoint.ts';
import { type ApiFailure, call, type ReplyOf } from '../api/client.tsx';

export type Job = ReplyOf<typeof getReconciliation>;

const INTERVAL_MS = 2000;

/** The progress of a reconciliation. Reads it again until the server has finished. */
export function useJob(planId: string): { job: Job | undefined; failure: ApiFailure | undefined; retry: () => void } {
  const { data, error, refetch } = useQuery({
    queryKey: ['once', 'reconciliation', planId],
    queryFn: ({ signal }) => call(getReconciliation, { params: { plan_id: planId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'applying' ? INTERVAL_MS : false),
  });
  return { job: data, failure: error ?? undefined, retry: () => void refetch() };
}
